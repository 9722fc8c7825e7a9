import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Decimal } from '../domain/money.ts';
import { add, isLess } from '../domain/money.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** What an account has of a currency. Version 0 has never moved: it is its opening amount, and not in the table yet. */
export interface Balance {
  readonly currency: string;
  readonly amount: Decimal;
  readonly version: number;
  readonly updatedAt: string | undefined;
}

export type OpeningBalances = Readonly<Record<string, Decimal>>;

/**
 * The amount is text, so that every digit of it is ours; a change is a compare-and-set on the version, which is as
 * atomic as arithmetic in the table would be, and tells the balance before and after exactly.
 */
const balanceItem = z.object({ currency: z.string(), amount: z.string(), version: z.number(), updatedAt: z.string() });

const unmoved = (opening: OpeningBalances, currency: string): Balance => ({
  currency,
  amount: opening[currency] ?? '0',
  version: 0,
  updatedAt: undefined,
});

/** One balance, as it is at this moment. */
export async function readBalance(
  table: Table,
  opening: OpeningBalances,
  accountId: string,
  currency: string,
): Promise<Balance> {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.balance(accountId, currency), ConsistentRead: true }),
  );
  return answer.Item === undefined ? unmoved(opening, currency) : balanceItem.parse(answer.Item);
}

/** The balances of all `currencies`, in their order. */
export async function readBalances(
  table: Table,
  opening: OpeningBalances,
  accountId: string,
  currencies: readonly string[],
): Promise<readonly Balance[]> {
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
  return currencies.map((currency) => moved.get(currency) ?? unmoved(opening, currency));
}

/** Why a balance moved, and by how much: what an auditor reads. */
export interface Movement {
  /** Unique among the movements of the balance. */
  readonly id: string;
  readonly kind: 'disbursement' | 'disbursement_status' | 'conversion';
  /** Gained, or lost when negative; fees included. */
  readonly delta: Decimal;
  /** The part of it that is fees. */
  readonly fee: Decimal;
  readonly at: string;
}

export type BalanceMove =
  | { readonly kind: 'possible'; readonly after: Decimal; readonly writes: readonly TransactItem[] }
  | { readonly kind: 'insufficient' };

/**
 * The writes that move a balance: the balance itself, on condition that nobody moved it since it was read, and the
 * posting that says why. They belong in one transaction with whatever caused them. No balance goes below zero.
 */
export function moveBalance(table: Table, accountId: string, balance: Balance, movement: Movement): BalanceMove {
  const after = add(balance.amount, movement.delta);
  if (isLess(after, '0')) return { kind: 'insufficient' };
  const { currency, version } = balance;
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
            updatedAt: movement.at,
          },
          ...(version === 0
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : {
                ConditionExpression: 'version = :version',
                ExpressionAttributeValues: { ':version': version },
              }),
        },
      },
      {
        Put: {
          TableName: table.name,
          Item: {
            ...keys.posting(accountId, currency, movement.at, movement.id),
            ...movement,
            currency,
            balanceBefore: balance.amount,
            balanceAfter: after,
          },
        },
      },
    ],
  };
}
