import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pollWaitSeconds, resolveWaitSeconds } from '../../../functions/domain/polling.ts';

const settings = { pollFirstSeconds: 5, pollMaxSeconds: 300, resolveAfterSeconds: 120 };
const middle = () => 0.5;

describe('waiting', () => {
  it('between polls doubles from 5 seconds to 5 minutes', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 7, 1_000_000].map((polls) => pollWaitSeconds(polls, settings, middle));
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it('before lookups grows from 2 to 8 minutes', () => {
    const waits = [0, 1, 2, 3].map((lookups) => resolveWaitSeconds(lookups, settings, () => 0));
    expect(waits).toEqual([120, 240, 480, 480]);
  });

  it.each([
    [10, [10, 20, 40, 40, 40]],
    [200, [200, 400, 480, 480, 480]],
    [600, [600, 600, 600, 600, 600]],
  ])('before lookups grows from %i seconds to four times that, or 8 minutes', (resolveAfterSeconds, expected) => {
    const waits = expected.map((_, lookups) => resolveWaitSeconds(lookups, { resolveAfterSeconds }, () => 0));
    expect(waits).toEqual(expected);
  });

  it('is whole seconds, at most a fifth off, and never too early for a lookup', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (done, dice) => {
        const poll = pollWaitSeconds(done, settings, () => dice);
        const plain = pollWaitSeconds(done, settings, middle);
        expect(Number.isInteger(poll)).toBe(true);
        expect(poll).toBeGreaterThanOrEqual(Math.floor(plain * 0.8));
        expect(poll).toBeLessThanOrEqual(Math.ceil(plain * 1.2));
        expect(resolveWaitSeconds(done, settings, () => dice)).toBeGreaterThanOrEqual(settings.resolveAfterSeconds);
        expect(Number.isInteger(resolveWaitSeconds(done, settings, () => dice))).toBe(true);
      }),
    );
  });
});
