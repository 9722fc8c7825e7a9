import { longestWaitSeconds } from '../domain/settings.ts';
import type { Unanswered } from './find-named.ts';

interface Attempt {
  /** How often the queue has delivered the hint, including this time. Counts from 1. */
  readonly attempt: number;
  /**
   * Seconds to wait after each attempt. After the last of these waits one more attempt follows, and then the queue sets the
   * hint aside.
   */
  readonly waitsSeconds: readonly number[];
}

/** Seconds until a failed hint is delivered again. 0 after its last attempt, so that it is set aside immediately. */
export const waitAfterFailure = ({ attempt, waitsSeconds }: Attempt): number => waitsSeconds[attempt - 1] ?? 0;

/** Seconds within which a lookup is normally recorded. One that takes longer may have died. */
const lookUpSeconds = 10;

/** Seconds between checks for the record of a running lookup. Allows two checks, so that few attempts are used up. */
const lookUpWaitSeconds = 5;

/**
 * Seconds until a hint that came too soon after a lookup is delivered again, rounded up. The first time it waits for the rest
 * of the window. Later it waits at least as long as a failure does, since the lookups it waits for seem to fail. While a lookup
 * that covers it is probably still running, it waits a few seconds.
 *
 * @param nowMs milliseconds since 1970
 */
export const waitForWindow = ({ attempt, waitsSeconds }: Attempt, unanswered: Unanswered, nowMs: number): number => {
  if (unanswered.kind === 'under_way' && nowMs - Date.parse(unanswered.askedAt) < lookUpSeconds * 1000)
    return lookUpWaitSeconds;
  const left = Math.max(1, Math.ceil((Date.parse(unanswered.until) - nowMs) / 1000));
  const asFailures = attempt === 1 ? 0 : (waitsSeconds[attempt - 2] ?? 0);
  return Math.min(Math.max(left, asFailures), longestWaitSeconds);
};
