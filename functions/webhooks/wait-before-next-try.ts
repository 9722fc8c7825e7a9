/** Seconds SQS hides a message for at most: 12 hours. */
const longestWaitSeconds = 43_200;

export interface Try {
  /** Counted from 1: how often the queue has handed the hint over, this time included. */
  readonly attempt: number;
  /** Seconds by attempt; after one attempt more than there are waits the queue sets the hint aside. */
  readonly waitsSeconds: readonly number[];
}

/** Seconds until a hint that failed is handed over again; after its last attempt none, so that it is set aside at once. */
export const waitAfterFailure = ({ attempt, waitsSeconds }: Try): number => waitsSeconds[attempt - 1] ?? 0;

/**
 * Seconds until a hint that came too soon after a look-up is handed over again, rounded up: at first what is left of the
 * window, then at least as long as failures wait, since the look-ups it waits for seem to fail.
 */
export const waitForWindow = (
  { attempt, waitsSeconds }: Try,
  { now, until }: { readonly now: number; readonly until: string },
): number => {
  const left = Math.max(1, Math.ceil((Date.parse(until) - now) / 1000));
  const asFailures = attempt === 1 ? 0 : (waitsSeconds[attempt - 2] ?? 0);
  return Math.min(Math.max(left, asFailures), longestWaitSeconds);
};
