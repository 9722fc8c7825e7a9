import type { PayoutStatus } from '../payout/payout-status.ts';
import { Money } from './money.ts';

/** Count and sums of payouts in one currency. */
export interface Tally {
  readonly count: number;
  readonly amount: Money;
  /** Fees that the provider charged for these payouts. For planned payouts, the expected fees. */
  readonly fee: Money;
}

/** Tallies of one currency by status. */
export type Tallies = Partial<Record<PayoutStatus, Tally>>;

/** Adds up tallies of one currency. */
export const sumTallies = (currency: string, tallies: readonly Tally[]): Tally => {
  const sumOf = (what: 'amount' | 'fee') =>
    Money.sum(
      currency,
      tallies.map((tally) => tally[what]),
    );
  return { count: tallies.reduce((sum, { count }) => sum + count, 0), amount: sumOf('amount'), fee: sumOf('fee') };
};

/** Adds up the tallies of these statuses. */
export const sumIn = (currency: string, tallies: Tallies, statuses: readonly PayoutStatus[]): Tally =>
  sumTallies(
    currency,
    statuses.flatMap((status) => tallies[status] ?? []),
  );
