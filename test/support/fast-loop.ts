import fc from 'fast-check';

/** False in the fast loop: `npm run test:unit` and `npm run test:watch`. There are too few cases then to judge what was drawn. */
export const drawsAll = process.env['FAST_LOOP'] !== 'true';

/** How many cases a property draws: all of them, or one in thirty in the fast loop. */
export const runs = (all: number): number => (drawsAll ? all : Math.ceil(all / 30));

fc.configureGlobal({ numRuns: runs(100) });
