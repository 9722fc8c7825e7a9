import { longestWaitSeconds } from '../domain/queue-tries.ts';

export interface Try {
  /** Counted from 1: how often the queue has handed the hint over, this time included. */
  readonly attempt: number;
  /** Seconds by attempt; after one attempt more than there are waits the queue sets the hint aside. */
  readonly waitsSeconds: readonly number[];
}

/** Seconds until a hint that failed is handed over again; after its last attempt none, so that it is set aside at once. */
export const waitAfterFailure = ({ attempt, waitsSeconds }: Try): number => waitsSeconds[attempt - 1] ?? 0;

/** Seconds in which a look-up is recorded as a rule; one that takes longer may have died. */
const lookUpSeconds = 10;

/** Seconds between looks whether a look-up under way has been recorded: two looks, so that few tries are used up. */
const lookUpWaitSeconds = 5;

/** What a hint waits for. Times are ISO 8601 UTC, `now` is milliseconds since 1970. */
export interface Window {
  readonly now: number;
  /** From then on its payout may be asked about again. */
  readonly until: string;
  /** When a look-up began that covers the hint once it is recorded. */
  readonly lookUpBegan?: string;
}

/**
 * Seconds until a hint that came too soon after a look-up is handed over again, rounded up: at first what is left of the
 * window, then at least as long as failures wait, since the look-ups it waits for seem to fail. While a look-up that covers
 * it is likely being made, a few.
 */
export const waitForWindow = ({ attempt, waitsSeconds }: Try, { now, until, lookUpBegan }: Window): number => {
  if (lookUpBegan !== undefined && now - Date.parse(lookUpBegan) < lookUpSeconds * 1000) return lookUpWaitSeconds;
  const left = Math.max(1, Math.ceil((Date.parse(until) - now) / 1000));
  const asFailures = attempt === 1 ? 0 : (waitsSeconds[attempt - 2] ?? 0);
  return Math.min(Math.max(left, asFailures), longestWaitSeconds);
};
