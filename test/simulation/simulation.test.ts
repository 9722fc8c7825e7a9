import { describe, expect, it } from 'vitest';
import { fits } from './defects/apply-defect.ts';
import { defects } from './defects/defects.ts';
import type { Ran } from './in-worker.ts';
import { inWorker } from './in-worker.ts';
import { runSeed } from './run-seed.ts';
import { describeHistory } from './world/history.ts';

/** As many as every test run has time for. `npm run simulate -- --seeds 20000` runs more. */
const seeds = 200;

const runAll = async (defect?: string): Promise<readonly Ran[]> => {
  const all: Ran[] = [];
  await inWorker({ first: 1, count: seeds, ...(defect === undefined ? {} : { defect }) }, (ran) => all.push(ran)).done;
  return all;
};

describe('the simulation', () => {
  it(`breaks no promise in ${seeds} seeds`, async () => {
    const all = await runAll();
    expect(all.filter(({ violation }) => violation !== undefined)).toEqual([]);
    expect(all).toHaveLength(seeds);
    expect(all.reduce((sum, { payments }) => sum + payments, 0)).toBeGreaterThan(seeds);
  });

  it.each([1, 2, 3, 4, 5])('runs seed %i the same way each time', async (seed) => {
    const [first, second] = [await runSeed(seed, true), await runSeed(seed, true)];
    expect(describeHistory(second.entries, {})).toEqual(describeHistory(first.entries, {}));
    expect((await runSeed(seed)).hash).toBe(first.hash);
  });

  it.each(defects.map((defect) => [defect.name, defect] as const))(
    'still contains the code that this defect replaces: %s',
    (_, defect) => {
      expect(fits(defect)).toBe(true);
    },
  );

  it.each([
    ['the POST is retried', ['no POST without a claim', 'never lost']],
    ['the rows of an unknown call become ready', ['never lost', 'no second POST without proof']],
    ['a found payment is adopted without a comparison', ['only the truth']],
    ['an end is overwritten', ['no regression']],
    ['every webhook refreshes the chunk counts', ['counts add up', 'no broken invariant']],
  ])('catches the defect: %s', async (defect, invariants) => {
    expect(invariants).toContain((await runAll(defect)).at(-1)?.violation?.invariant);
  });
});
