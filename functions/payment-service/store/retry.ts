/** How to wait before trying again. Passed in, so that tests need not wait. */
export interface Patience {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Milliseconds to wait after losing to a concurrent transaction: random, and growing fast. A few concurrent requests
 * succeed in well under a second. Two hundred need waits of about a second, or they keep blocking each other.
 */
const conflictPause = (attempt: number, random: () => number): number =>
  5 + random() * Math.min(2000, 10 * 4 ** Math.min(attempt, 4));

/** Their waits add up to 12 seconds on average, and at most 24: less than the 29 that API Gateway waits. */
export const conflictAttempts = 16;

/**
 * Tries until an attempt returns something other than `again`, with a wait after each.
 *
 * @returns undefined when the last attempt returned `again` too
 */
export const retryConflicts = async <Outcome>(
  { pause, random }: Patience,
  attempt: () => Promise<Outcome | 'again'>,
  attempts = conflictAttempts,
): Promise<Outcome | undefined> => {
  for (let tried = 0; tried < attempts; tried += 1) {
    const outcome = await attempt();
    if (outcome !== 'again') return outcome;
    await pause(conflictPause(tried, random));
  }
  return undefined;
};
