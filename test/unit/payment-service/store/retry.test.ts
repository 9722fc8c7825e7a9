import { expect, it } from 'vitest';
import { conflictAttempts, retryConflicts, timeToRetry } from '../../../../functions/payment-service/store/retry.ts';

/** A clock that moves only with pauses and attempts, and a record of the pauses in milliseconds. */
const timed = (random = 1) => {
  const clock = { now: 0 };
  const pauses: number[] = [];
  const patience = {
    pause: async (milliseconds: number) => {
      pauses.push(milliseconds);
      clock.now += milliseconds;
    },
    random: () => random,
    hasTime: timeToRetry(() => new Date(clock.now)),
  };
  return { clock, pauses, patience };
};

it('waits only between attempts', async () => {
  const { pauses, patience } = timed(0);
  let tried = 0;
  const attempt = async () => {
    tried += 1;
    return 'again' as const;
  };
  expect(await retryConflicts(patience, attempt)).toBeUndefined();
  expect([tried, pauses.length]).toEqual([conflictAttempts, conflictAttempts - 1]);
});

it('returns the first outcome', async () => {
  const { pauses, patience } = timed();
  const outcomes = ['again', 'again', 'done', 'other'] as const;
  const attempt = async () => outcomes[pauses.length] ?? 'again';
  expect(await retryConflicts(patience, attempt)).toBe('done');
  expect(pauses).toHaveLength(2);
});

it('nested attempts together end soon after 20 seconds, in time for an answer', async () => {
  const { clock, patience } = timed();
  const inner = async () => {
    clock.now += 100;
    return 'again' as const;
  };
  const outer = async () => (await retryConflicts(patience, inner)) ?? 'again';
  expect(await retryConflicts(patience, outer)).toBeUndefined();
  expect(clock.now).toBeGreaterThan(19_000);
  expect(clock.now).toBeLessThan(23_000);
});

it('attempts once even when no time is left, because the table may be free', async () => {
  const { clock, patience } = timed();
  clock.now = 60_000;
  expect(await retryConflicts(patience, async () => 'done' as const)).toBe('done');
});
