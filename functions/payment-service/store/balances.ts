import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Entry } from '../domain/money/ledger.ts';
import { gainOf, openingEntry } from '../domain/money/ledger.ts';
import { Money } from '../domain/money/money.ts';
import { keys } from './keys.ts';
import type { Table, TransactItem } from './table.ts';

/** What an account has of a currency. Version 0 has never moved: it is its opening amount, and not in the table yet. */
export interface Balance {
  readonly amount: Money;
  readonly version: number;
  readonly updatedAt: string | undefined;
}

/** What an account has of a currency before anything moves. */
export type OpeningBalances = (accountId: string, currency: string) => Money;

/**
 * The amount is text, so that every digit of it is ours; a change is a compare-and-set on the version, which is as
 * atomic as arithmetic in the table would be, and tells the balance before and after exactly.
 */
const balanceItem = z
  .object({ currency: z.string(), amount: z.string(), version: z.number(), updatedAt: z.string() })
  .transform(({ currency, amount, ...rest }): Balance => ({ ...rest, amount: Money.of(amount, currency) }));

const unmoved = (opening: OpeningBalances, accountId: string, currency: string): Balance => ({
  amount: opening(accountId, currency),
  version: 0,
  updatedAt: undefined,
});

/** One balance, as it is at this moment. */
export const readBalance = async (
  table: Table,
  opening: OpeningBalances,
  accountId: string,
  currency: string,
): Promise<Balance> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.balance(accountId, currency), ConsistentRead: true }),
  );
  return answer.Item === undefined ? unmoved(opening, accountId, currency) : balanceItem.parse(answer.Item);
};

/** The balances of all `currencies`, in their order. */
export const readBalances = async (
  table: Table,
  opening: OpeningBalances,
  accountId: string,
  currencies: readonly string[],
): Promise<readonly Balance[]> => {
  const { pk, sk } = keys.balance(accountId, '');
  const answer = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ConsistentRead: true,
    }),
  );
  const items = (answer.Items ?? []).map((item) => balanceItem.parse(item));
  const moved = new Map(items.map((one) => [one.amount.currency, one]));
  return currencies.map((currency) => moved.get(currency) ?? unmoved(opening, accountId, currency));
};

export type BalanceMove =
  | { readonly kind: 'possible'; readonly writes: readonly TransactItem[] }
  | { readonly kind: 'insufficient' };

const putEntry = (table: Table, accountId: string, written: Entry, balanceAfter: Money): TransactItem => ({
  Put: {
    TableName: table.name,
    Item: {
      ...keys.entry(accountId, written.currency, written.at, written.id),
      ...written,
      postings: written.postings.map(({ account, amount }) => ({ account, amount: amount.amount })),
      balanceBefore: balanceAfter.minus(gainOf(written, 'balance')).amount,
      balanceAfter: balanceAfter.amount,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/**
 * The writes that move a balance: the balance itself, on condition that nobody moved it since it was read, and the ledger's
 * entry that says why. They belong in one transaction with whatever caused them. No balance goes below zero. A balance
 * that moves for the first time has its opening entry written before; so what stands in the ledger adds up to the balance.
 */
export const moveBalance = (
  table: Table,
  accountId: string,
  { amount, version }: Balance,
  cause: Entry,
): BalanceMove => {
  const after = amount.plus(gainOf(cause, 'balance'));
  if (after.isNegative()) return { kind: 'insufficient' };
  const { currency } = amount;
  const opens = version === 0 && !amount.isZero();
  return {
    kind: 'possible',
    writes: [
      {
        Put: {
          TableName: table.name,
          Item: {
            ...keys.balance(accountId, currency),
            currency,
            amount: after.amount,
            version: version + 1,
            updatedAt: cause.at,
          },
          ...(version === 0
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : {
                ConditionExpression: 'version = :version',
                ExpressionAttributeValues: { ':version': version },
              }),
        },
      },
      ...(opens ? [putEntry(table, accountId, openingEntry(cause.at, amount), amount)] : []),
      putEntry(table, accountId, cause, after),
    ],
  };
};
