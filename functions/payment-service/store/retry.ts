/** How to wait before trying again. Passed in, so that tests need not wait. */
export interface Patience {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Whether there is time for another attempt: see `timeToRetry`. */
  readonly hasTime: () => boolean;
}

/**
 * How long one request, or one run of the settlement worker, tries again, however its attempts nest. Counted by the real
 * clock from when its context is made. A function of the API ends at 28 s, and API Gateway stops waiting at 29. The rest
 * is for the last wait of 2 s, the last attempt, the cleanup and the answer.
 */
const retryMilliseconds = 20_000;

/** The `hasTime` of a request or run that begins now. */
export const timeToRetry = (realNow: () => Date): (() => boolean) => {
  const giveUpAt = realNow().getTime() + retryMilliseconds;
  return () => realNow().getTime() < giveUpAt;
};

/**
 * Milliseconds to wait after losing to a concurrent transaction: random, and growing fast. A few concurrent requests
 * succeed in well under a second. Two hundred need waits of about a second, or they keep blocking each other.
 */
const conflictPause = (attempt: number, random: () => number): number =>
  5 + random() * Math.min(2000, 10 * 4 ** Math.min(attempt, 4));

/** The waits between them add up to 11 seconds on average, and at most 23. */
export const conflictAttempts = 16;

/**
 * Tries until an attempt returns something other than `again`, with a wait between attempts. There is always a first
 * attempt.
 *
 * @returns undefined when the last attempt returned `again` too, or when no time was left for another
 */
export const retryConflicts = async <Outcome>(
  { pause, random, hasTime }: Patience,
  attempt: () => Promise<Outcome | 'again'>,
  attempts = conflictAttempts,
): Promise<Outcome | undefined> => {
  for (let tried = 1; ; tried += 1) {
    const outcome = await attempt();
    if (outcome !== 'again') return outcome;
    if (tried >= attempts || !hasTime()) return undefined;
    await pause(conflictPause(tried - 1, random));
  }
};
