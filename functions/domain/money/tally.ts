import type { PayoutStatus } from '../payout/payout-status.ts';
import { Money } from './money.ts';

/** Count and sums of payouts of one currency. */
export interface Tally {
  readonly count: number;
  readonly amount: Money;
  /** What the provider charged for these; of planned ones, what it is expected to. */
  readonly fee: Money;
}

/** Of one currency, by status. */
export type Tallies = Partial<Record<PayoutStatus, Tally>>;

/** What tallies of one currency add up to. */
export const sumTallies = (currency: string, tallies: readonly Tally[]): Tally => ({
  count: tallies.reduce((sum, { count }) => sum + count, 0),
  amount: Money.sum(
    currency,
    tallies.map(({ amount }) => amount),
  ),
  fee: Money.sum(
    currency,
    tallies.map(({ fee }) => fee),
  ),
});

/** What the tallies of these statuses add up to. */
export const sumIn = (currency: string, tallies: Tallies, statuses: readonly PayoutStatus[]): Tally =>
  sumTallies(
    currency,
    statuses.flatMap((status) => tallies[status] ?? []),
  );
