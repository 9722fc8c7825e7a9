import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absenceIsDueAt,
  isLookDue,
  retryWaitSeconds,
  sweepWaitSeconds,
} from '../../../../functions/domain/payout/polling.ts';

const settings = { pollFirstSeconds: 5, pollMaxSeconds: 300, resolveAfterSeconds: 120 };
const claimedAt = '2026-01-01T00:00:00.000Z';
const at = (seconds: number): number => Date.parse(claimedAt) + seconds * 1000;

describe('waiting between sweeps', () => {
  it.each([
    [0, 5],
    [25, 5],
    [60, 12],
    [600, 120],
    [1500, 300],
    [1_000_000, 300],
  ])('is a fifth of the %i seconds since submitting, between first and maximum: %i', (since, expected) => {
    expect(sweepWaitSeconds(since, settings, 0)).toBe(expected);
  });

  it('is whole seconds, never longer than the maximum, and at most a twentieth shorter by chance', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (since, dice) => {
        const plain = sweepWaitSeconds(since, settings, 0);
        const wait = sweepWaitSeconds(since, settings, dice);
        expect(Number.isInteger(wait)).toBe(true);
        expect(wait).toBeLessThanOrEqual(plain);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(plain * 0.95));
      }),
    );
  });

  it('is at least a second', () => {
    expect(sweepWaitSeconds(0, { pollFirstSeconds: 1, pollMaxSeconds: 1 }, 0.999)).toBe(1);
  });
});

it('delays retries: not at first, then doubling to the maximum', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000_000].map((failures) => retryWaitSeconds(failures, settings))).toEqual([
    0, 5, 10, 20, 40, 80, 160, 300, 300,
  ]);
});

describe('the next proof of absence', () => {
  it.each([
    [120, [120, 240, 480, 480]],
    [10, [10, 20, 40, 40]],
    [200, [200, 400, 480, 480]],
    [600, [600, 600, 600, 600]],
  ])('is due %i s after the claim, later and later after the last: %o', (resolveAfterSeconds, expected) => {
    const updatedAt = new Date(at(1000)).toISOString();
    const waits = expected.map((_, absences) => {
      const payout = absences === 0 ? { updatedAt } : { absences, updatedAt };
      const since = absences === 0 ? at(0) : at(1000);
      return (absenceIsDueAt(payout, claimedAt, { resolveAfterSeconds }) - since) / 1000;
    });
    expect(waits).toEqual(expected);
  });
});

describe('a lookup of a resting payout', () => {
  it('is due at its first age, and each time that doubles', () => {
    const due: number[] = [];
    let last: string | undefined;
    for (let seconds = 0; seconds <= 4000; seconds += 10) {
      if (!isLookDue(claimedAt, last, at(seconds), 120)) continue;
      due.push(seconds);
      last = new Date(at(seconds)).toISOString();
    }
    expect(due).toEqual([120, 240, 480, 960, 1920, 3840]);
  });

  it('is not missed after a lookup that came too early or began before the rest', () => {
    expect(isLookDue(claimedAt, new Date(at(119)).toISOString(), at(120), 120)).toBe(true);
    expect(isLookDue(claimedAt, new Date(at(-5000)).toISOString(), at(120), 120)).toBe(true);
    expect(isLookDue(claimedAt, new Date(at(-5000)).toISOString(), at(119), 120)).toBe(false);
    expect(isLookDue(claimedAt, undefined, at(-10), 120)).toBe(false);
  });
});
