import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Entry } from '../domain/money/ledger.ts';
import { entryKinds, gainOf, ledgerAccounts, openingEntry } from '../domain/money/ledger.ts';
import type { Decimal } from '../domain/money/money.ts';
import { add, isEqual, isLess, subtract } from '../domain/money/money.ts';
import { keys } from './keys.ts';
import { queryAll } from './query-all.ts';
import type { Table, TransactItem } from './table.ts';

/** What an account has of a currency. Version 0 has never moved: it is its opening amount, and not in the table yet. */
export interface Balance {
  readonly currency: string;
  readonly amount: Decimal;
  readonly version: number;
  readonly updatedAt: string | undefined;
}

/** What an account has of a currency before anything moves. */
export type OpeningBalances = (accountId: string, currency: string) => Decimal;

/**
 * The amount is text, so that every digit of it is ours; a change is a compare-and-set on the version, which is as
 * atomic as arithmetic in the table would be, and tells the balance before and after exactly.
 */
const balanceItem = z.object({ currency: z.string(), amount: z.string(), version: z.number(), updatedAt: z.string() });

const unmoved = (opening: OpeningBalances, accountId: string, currency: string): Balance => ({
  currency,
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
  const moved = new Map((answer.Items ?? []).map((item) => balanceItem.parse(item)).map((one) => [one.currency, one]));
  return currencies.map((currency) => moved.get(currency) ?? unmoved(opening, accountId, currency));
};

export type BalanceMove =
  | { readonly kind: 'possible'; readonly after: Decimal; readonly writes: readonly TransactItem[] }
  | { readonly kind: 'insufficient' };

const putEntry = (table: Table, accountId: string, written: Entry, balanceAfter: Decimal): TransactItem => ({
  Put: {
    TableName: table.name,
    Item: {
      ...keys.entry(accountId, written.currency, written.at, written.id),
      ...written,
      balanceBefore: subtract(balanceAfter, gainOf(written, 'balance')),
      balanceAfter,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/**
 * The writes that move a balance: the balance itself, on condition that nobody moved it since it was read, and the ledger's
 * entry that says why. They belong in one transaction with whatever caused them. No balance goes below zero. A balance
 * that moves for the first time has its opening entry written before; so what stands in the ledger adds up to the balance.
 */
export const moveBalance = (table: Table, accountId: string, balance: Balance, cause: Entry): BalanceMove => {
  const after = add(balance.amount, gainOf(cause, 'balance'));
  if (isLess(after, '0')) return { kind: 'insufficient' };
  const { currency, version, amount } = balance;
  if (cause.currency !== currency) throw new Error(`${cause.kind} ${cause.id} is not of the balance in ${currency}`);
  const opens = version === 0 && !isEqual(amount, '0');
  return {
    kind: 'possible',
    after,
    writes: [
      {
        Put: {
          TableName: table.name,
          Item: {
            ...keys.balance(accountId, currency),
            currency,
            amount: after,
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
      ...(opens ? [putEntry(table, accountId, openingEntry({ at: cause.at, currency }, amount), amount)] : []),
      putEntry(table, accountId, cause, after),
    ],
  };
};

const storedEntry = z.object({
  id: z.string(),
  kind: z.enum(entryKinds),
  at: z.string(),
  currency: z.string(),
  postings: z.array(z.object({ account: z.enum(ledgerAccounts), amount: z.string() })),
  balanceBefore: z.string(),
  balanceAfter: z.string(),
});

/** An entry as the ledger keeps it, with what the balance was just before and just after it. */
export type StoredEntry = z.infer<typeof storedEntry>;

/** Every entry of an account in a currency, by time. What an auditor reads; requests never do. */
export const readEntries = async (
  table: Table,
  accountId: string,
  currency: string,
): Promise<readonly StoredEntry[]> => {
  const items = await queryAll(table, keys.entry(accountId, currency, '', '').pk);
  return items.map((item) => storedEntry.parse(item));
};
