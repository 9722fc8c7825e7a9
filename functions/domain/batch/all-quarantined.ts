import type { Tallies } from '../money/tally.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { Batch } from './batch.ts';
import { countIn } from './progress.ts';

/** Reason of a batch whose payouts in a currency are all quarantined. Resuming acknowledges them, and they no longer count. */
export const allQuarantined = 'all_quarantined';

/** Quarantined payouts that are no coincidence while no other one of their currency got through. */
const enough = 3;

const gotThrough = ['completed', 'failed', ...payoutStatusesThat('isWithProvider')] as const;

interface Counted {
  readonly currency: string;
  readonly tallies: Tallies;
}

const byCurrency = (counted: readonly Counted[]) => Map.groupBy(counted, ({ currency }) => currency);

/** Counts the quarantined payouts of each currency. */
export const countQuarantined = (counted: readonly Counted[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...byCurrency(counted)].map(([currency, same]) => [currency, countIn(same, 'quarantined')]));

/**
 * Returns a currency of which no payout got through, and at least three more are quarantined than a person has acknowledged. The
 * provider then shows payouts otherwise than the file has them, such as masked accounts, and would do so with all that follow.
 */
export const findAllQuarantined = (
  { acknowledgedQuarantined = {} }: Pick<Batch, 'acknowledgedQuarantined'>,
  counted: readonly Counted[],
): { readonly currency: string; readonly quarantined: number } | undefined =>
  [...byCurrency(counted)]
    .filter(([, same]) => countIn(same, ...gotThrough) === 0)
    .map(([currency, same]) => ({ currency, quarantined: countIn(same, 'quarantined') }))
    .find(({ currency, quarantined }) => quarantined - (acknowledgedQuarantined[currency] ?? 0) >= enough);
