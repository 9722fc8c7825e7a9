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

/**
 * Payouts by currency that are quarantined or have ended. A quarantined one stays among them once a person has settled it, so new
 * ones show as a higher number.
 */
export const countAcknowledged = (counted: readonly Counted[]): NonNullable<Batch['acknowledgedQuarantined']> =>
  Object.fromEntries(
    [...Map.groupBy(counted, ({ currency }) => currency)].map(([currency, same]) => [
      currency,
      countIn(same, 'quarantined', ...payoutStatusesThat('isEnd')),
    ]),
  );

/**
 * Returns a currency in which payouts were quarantined since a person last acknowledged that, and none got through. The provider
 * then shows payouts otherwise than the file has them, such as masked accounts, and would do so with all that follow.
 */
export const findAllQuarantined = (
  { acknowledgedQuarantined = {} }: Pick<Batch, 'acknowledgedQuarantined'>,
  counted: readonly Counted[],
): { readonly currency: string; readonly quarantined: number } | undefined => {
  const now = countAcknowledged(counted);
  return [...Map.groupBy(counted, ({ currency }) => currency)]
    .map(([currency, same]) => ({ currency, same, quarantined: countIn(same, 'quarantined') }))
    .filter(({ same, quarantined }) => quarantined >= enough && countIn(same, ...gotThrough) === 0)
    .filter(({ currency }) => (now[currency] ?? 0) - (acknowledgedQuarantined[currency] ?? 0) >= enough)
    .map(({ currency, quarantined }) => ({ currency, quarantined }))[0];
};
