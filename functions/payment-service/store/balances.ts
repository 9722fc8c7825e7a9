import * as z from 'zod';
import { assets } from '../domain/money/currencies.ts';
import type { Entry } from '../domain/money/ledger.ts';
import { gainOf, openingEntry } from '../domain/money/ledger.ts';
import { Money } from '../domain/money/money.ts';
import type { Context } from './context.ts';
import { keys } from './keys.ts';
import type { TransactItem } from './table.ts';
import { getItem, putNew, putNext, queryBetween } from './table.ts';

/** An account's balance in one currency. At version 0, it is the opening balance and is not yet in the table. */
export interface Balance {
  readonly amount: Money;
  readonly version: number;
  readonly updatedAt: string | undefined;
}

/**
 * The amount is stored as text, so that all its digits are exact. A change is a compare-and-set on the version: as
 * atomic as arithmetic in the table, and exact about the balance before and after.
 */
const balanceItem = z
  .object({ currency: z.string(), amount: z.string(), version: z.number(), updatedAt: z.string() })
  .transform(({ currency, amount, ...rest }): Balance => ({ ...rest, amount: Money.of(amount, currency) }));

const unmoved = ({ openingBalance }: Context, currency: string): Balance => ({
  amount: openingBalance(currency),
  version: 0,
  updatedAt: undefined,
});

/** The current balance in one currency. */
export const readBalance = async (context: Context, currency: string): Promise<Balance> => {
  const moved = await getItem(context.table, keys.balance(context.accountId, currency), balanceItem);
  return moved ?? unmoved(context, currency);
};

/** The balances in all assets, in their order. */
export const readBalances = async (context: Context): Promise<readonly Balance[]> => {
  const [first, last] = [keys.balance(context.accountId, ''), keys.balance(context.accountId, '\uffff')];
  const items = await queryBetween(context.table, first, last);
  const moved = new Map(items.map((item) => balanceItem.parse(item)).map((one) => [one.amount.currency, one]));
  return assets.map(({ code }) => moved.get(code) ?? unmoved(context, code));
};

const putEntry = ({ accountId }: Context, written: Entry, balanceAfter: Money): TransactItem =>
  putNew({
    ...keys.entry(accountId, written.currency, written.at, written.id),
    ...written,
    postings: written.postings.map(({ account, amount }) => ({ account, amount: amount.amount })),
    balanceBefore: balanceAfter.minus(gainOf(written, 'balance')).amount,
    balanceAfter: balanceAfter.amount,
  });

/**
 * The writes that move a balance: the balance, on condition that it has not moved since it was read, and the ledger
 * entry of the movement. They belong in one transaction with their cause. When a balance moves for the first time, an
 * opening entry is written too, so that the ledger's entries add up to the balance.
 *
 * @returns undefined when the balance would go below zero
 * @throws CurrencyMismatch when the entry is in another currency than the balance
 */
export const moveBalance = (
  context: Context,
  { amount, version }: Balance,
  cause: Entry,
): readonly TransactItem[] | undefined => {
  const after = amount.plus(gainOf(cause, 'balance'));
  if (after.isNegative()) return undefined;
  const { currency } = amount;
  const item = {
    ...keys.balance(context.accountId, currency),
    currency,
    amount: after.amount,
    version: version + 1,
    updatedAt: cause.at,
  };
  const opens = version === 0 && !amount.isZero();
  const opening = opens ? [putEntry(context, openingEntry(cause.at, amount), amount)] : [];
  return [putNext(item, 'version', version), ...opening, putEntry(context, cause, after)];
};
