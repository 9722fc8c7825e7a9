import fc from 'fast-check';

/**
 * False in the fast loop (`npm run test:unit`, `npm run test:watch`). It draws too few cases for checks of their spread. It
 * also leaves out tests that need very many rows, characters, operations or sweeps.
 */
export const drawsAll = process.env['FAST_LOOP'] !== 'true';

/** Number of cases for a property: all of them, or one in thirty in the fast loop. */
export const runs = (all: number): number => (drawsAll ? all : Math.ceil(all / 30));

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });
