import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tooManyUnpaid } from '../../../../functions/domain/batch/unpaid-share.ts';
import { examplePlan } from '../../../support/scenes/example-batch.ts';

const planOf = (rows: number) => ({ ...examplePlan('b-1', 1, []), rows, validRows: rows });

describe('too many unpaid payouts', () => {
  it.each([
    // percent, rows, ended, unpaid, whether it pauses
    [0, 1000, 1, 1, true],
    [0, 1000, 999, 0, false],
    [5, 1000, 19, 19, false],
    [5, 1000, 20, 1, false],
    [5, 1000, 20, 2, true],
    [5, 1000, 100, 5, false],
    [5, 1000, 100, 6, true],
    [10, 10, 2, 1, false],
    [10, 10, 2, 2, true],
    [100, 10, 10, 10, false],
  ])('%i%% of %i rows: %i ended, %i of them unpaid: %s', (pauseAbove, rows, ended, unpaid, pauses) => {
    const found = tooManyUnpaid({ pauseAbove, plan: planOf(rows) }, { ended, unpaid });
    expect(found).toEqual(pauses ? { ended, unpaid } : undefined);
  });

  it('do not pause a batch without a limit', () => {
    expect(tooManyUnpaid({ plan: planOf(10) }, { ended: 10, unpaid: 10 })).toBeUndefined();
  });

  it('are counted from zero once a person has seen them', () => {
    const batch = { pauseAbove: 5, plan: planOf(1000), acknowledgedEnds: { ended: 100, unpaid: 50 } };
    expect(tooManyUnpaid(batch, { ended: 100, unpaid: 50 })).toBeUndefined();
    expect(tooManyUnpaid(batch, { ended: 120, unpaid: 51 })).toBeUndefined();
    expect(tooManyUnpaid(batch, { ended: 120, unpaid: 52 })).toEqual({ ended: 20, unpaid: 2 });
  });

  it('never pause at an allowed share, once enough have ended', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 20, max: 1_000_000 }), (percent, ended) => {
        const allowed = Math.floor((percent * ended) / 100);
        const batch = { pauseAbove: percent, plan: planOf(1_000_000) };
        expect(tooManyUnpaid(batch, { ended, unpaid: allowed })).toBeUndefined();
        if (allowed < ended) expect(tooManyUnpaid(batch, { ended, unpaid: allowed + 1 })).toBeDefined();
      }),
    );
  });
});
