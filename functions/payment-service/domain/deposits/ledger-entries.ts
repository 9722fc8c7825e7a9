import type { Entry, EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import { Money } from '../money/money.ts';
import type { Deposit, DepositPrice } from './deposit.ts';
import type { DepositChange } from './lifecycle.ts';

/** The entries of a paid deposit, one per currency. A conversion passes through the exchange account. */
const credit = (
  head: Omit<EntryHead, 'currency'>,
  { input, fee, output, conversionFee, exchangeRate }: DepositPrice,
): readonly Entry[] => {
  const paid = { deposits: input.negated(), fees: fee };
  const net = input.minus(fee);
  const paidIn = { ...head, currency: input.currency };
  if (exchangeRate === undefined) return [entry(paidIn, { ...paid, balance: net })];
  const fees = conversionFee ?? Money.zero(output.currency);
  return [
    entry(paidIn, { ...paid, exchange: net }),
    entry({ ...head, currency: output.currency }, { exchange: output.plus(fees).negated(), fees, balance: output }),
  ];
};

const reversed = (one: Entry): Entry => ({
  ...one,
  postings: one.postings.map(({ account, amount }) => ({ account, amount: amount.negated() })),
});

const isCredited = ({ status }: Deposit): boolean => status === 'completed';

/**
 * The ledger entries of a change, one per currency. Becoming completed credits the deposit, leaving completed takes the
 * credit back, and any other change moves nothing. So a deposit is credited once, however often its status is set.
 */
export const depositEntries = ({ before, after }: DepositChange): readonly Entry[] => {
  if (isCredited(before) === isCredited(after)) return [];
  const id = `${after.depositId}#${after.version}`;
  const at = after.updatedAt;
  return isCredited(after)
    ? credit({ id, kind: 'deposit', at }, after)
    : credit({ id, kind: 'deposit_status', at }, after).map(reversed);
};
