import type { Tallies } from '../money/tally.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { Batch } from './batch.ts';
import { countIn } from './progress.ts';

/** Reason of a batch in which too many payouts ended unpaid. Resuming acknowledges them, and they no longer count. */
export const unpaidAbove = 'unpaid_above';

/** Number of payouts that ended, and how many of those were not paid. */
export type Ends = NonNullable<Batch['acknowledgedEnds']>;

const none: Ends = { ended: 0, unpaid: 0 };

/** Ended payouts needed before their unpaid share is significant. */
const enough = 20;

/** Counts `rejected` and `canceled` payouts as unpaid too. */
export const endsOf = (counted: readonly { readonly tallies: Tallies }[]): Ends => ({
  ended: countIn(counted, ...payoutStatusesThat('isEnd')),
  unpaid: countIn(counted, ...payoutStatusesThat('endsUnpaid')),
});

/**
 * Returns the ends since a person last acknowledged them, if more than `pauseAbove` percent of these were not paid. Otherwise
 * undefined. Judges once 20 have ended, or earlier when the unpaid ones already exceed the percentage of all remaining payouts.
 */
export const tooManyUnpaid = (
  { pauseAbove, acknowledgedEnds = none, plan }: Pick<Batch, 'pauseAbove' | 'acknowledgedEnds' | 'plan'>,
  ends: Ends,
): Ends | undefined => {
  if (pauseAbove === undefined || plan === undefined) return undefined;
  const ended = ends.ended - acknowledgedEnds.ended;
  const unpaid = ends.unpaid - acknowledgedEnds.unpaid;
  const of = ended >= enough ? ended : Math.max(ended, plan.validRows - acknowledgedEnds.ended);
  return unpaid * 100 > pauseAbove * of ? { ended, unpaid } : undefined;
};
