import { Big } from 'big.js';
import type { Tally } from '../domain/chunk.ts';
import type { Payout, PayoutStatus } from '../domain/payout.ts';

const none: Tally = { count: 0, amount: '0', fee: '0' };

/** Exact: big.js adds without rounding, and `toFixed()` writes all decimals and no exponent. */
const plus = (sum: string, amount: string): string => new Big(sum).plus(amount).toFixed();

/** Counts and sums of payouts by status, and the number of archived proofs. Statuses without payouts are left out. */
export const addUp = (
  payouts: readonly Payout[],
): { readonly tallies: Partial<Record<PayoutStatus, Tally>>; readonly proofs: number } => {
  const tallies: Partial<Record<PayoutStatus, Tally>> = {};
  for (const { status, amount, fee } of payouts) {
    const tally = tallies[status] ?? none;
    tallies[status] = {
      count: tally.count + 1,
      amount: plus(tally.amount, amount),
      fee: plus(tally.fee, fee ?? '0'),
    };
  }
  return { tallies, proofs: payouts.filter(({ proof }) => proof !== undefined).length };
};
