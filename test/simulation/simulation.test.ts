import { beforeAll, describe, expect, it } from 'vitest';
import { fits } from './defects/apply-defect.ts';
import { defects } from './defects/defects.ts';
import type { Ran } from './in-worker.ts';
import { inWorker } from './in-worker.ts';
import { runSeed, workloads } from './run-seed.ts';
import { describeHistory } from './world/history.ts';

/** As many as every test run has time for. `npm run simulate -- --seeds 20000` runs more. */
const seeds = 200;

const runAll = async (defect?: string): Promise<readonly Ran[]> => {
  const all: Ran[] = [];
  await inWorker({ first: 1, count: seeds, ...(defect === undefined ? {} : { defect }) }, (ran) => all.push(ran)).done;
  return all;
};

describe('the simulation', () => {
  let all: readonly Ran[];
  beforeAll(async () => {
    all = await runAll();
  });

  it(`breaks no promise in ${seeds} seeds`, () => {
    expect(all.filter(({ violation }) => violation !== undefined)).toEqual([]);
    expect(all).toHaveLength(seeds);
    expect(all.reduce((sum, { payments }) => sum + payments, 0)).toBeGreaterThan(seeds);
  });

  it.each([1, 2, 3, 4, 5, 6])('runs seed %i the same way in another thread', async (seed) => {
    expect((await runSeed(seed)).hash).toBe(all.find((ran) => ran.seed === seed)?.hash);
  });

  it.each(workloads)('has the same history in words each time, with files of the %s generator', async (workload) => {
    const [once, again] = [await runSeed(1, true, workload), await runSeed(1, true, workload)];
    expect(describeHistory(again.entries, {})).toEqual(describeHistory(once.entries, {}));
  });

  it('draws the files of its first seeds by both generators', () => {
    expect(new Set(all.slice(0, 6).map(({ workload }) => workload))).toEqual(new Set(workloads));
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
