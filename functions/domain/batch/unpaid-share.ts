import type { Tallies } from '../money/tally.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { Batch } from './batch.ts';
import { countIn } from './progress.ts';

/** Reason of a batch of which too many payouts ended unpaid. Who resumes it has seen these: they count no more. */
export const unpaidAbove = 'unpaid_above';

/** How many payouts have ended, and how many of those were not paid. */
export interface Ends {
  readonly ended: number;
  readonly unpaid: number;
}

/** Payouts that have ended before a share of them says anything. */
const enough = 20;

/** `rejected` and `canceled` ones too: nobody was paid. */
export const endsOf = (counted: readonly { readonly tallies: Tallies }[]): Ends => ({
  ended: countIn(counted, ...payoutStatusesThat('isEnd')),
  unpaid: countIn(counted, ...payoutStatusesThat('isRefunded')),
});

/**
 * The ends since a person has seen them last, when more than `pauseAbove` percent of these were not paid; else undefined. Judged
 * once 20 have ended, and sooner where so many ended unpaid that they exceed the percentage of all payouts that are left.
 */
export const tooManyUnpaid = (
  {
    pauseAbove,
    acknowledgedEnds = { ended: 0, unpaid: 0 },
    plan,
  }: Pick<Batch, 'pauseAbove' | 'acknowledgedEnds' | 'plan'>,
  ends: Ends,
): Ends | undefined => {
  if (pauseAbove === undefined || plan === undefined) return undefined;
  const ended = ends.ended - acknowledgedEnds.ended;
  const unpaid = ends.unpaid - acknowledgedEnds.unpaid;
  const of = ended >= enough ? ended : Math.max(ended, plan.validRows - acknowledgedEnds.ended);
  return unpaid * 100 > pauseAbove * of ? { ended, unpaid } : undefined;
};
