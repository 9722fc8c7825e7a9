import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Rail } from '../domain/currencies.ts';
import type { TransactItem } from './balances.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

const countItem = z.object({
  total: z.number(),
  byCurrency: z.record(z.string(), z.number()),
  lastCreatedAt: z.string(),
});

/** How many disbursements an account has on a rail. Its lists are numbered from 1 to these without gaps. */
export type Count = z.infer<typeof countItem>;

export async function readCount(table: Table, accountId: string, rail: Rail): Promise<Count> {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.count(accountId, rail), ConsistentRead: true }),
  );
  return answer.Item === undefined ? { total: 0, byCurrency: {}, lastCreatedAt: '' } : countItem.parse(answer.Item);
}

/** The write that takes the next sequence numbers, on condition that nobody took them since `count` was read. */
export function nextCount(
  table: Table,
  accountId: string,
  rail: Rail,
  count: Count,
  added: {
    readonly groups: readonly { readonly currency: string; readonly count: number }[];
    readonly createdAt: string;
  },
): TransactItem {
  const byCurrency = { ...count.byCurrency };
  for (const group of added.groups) byCurrency[group.currency] = (byCurrency[group.currency] ?? 0) + group.count;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...keys.count(accountId, rail),
        total: count.total + added.groups.reduce((total, group) => total + group.count, 0),
        byCurrency,
        lastCreatedAt: added.createdAt,
      },
      ...(count.total === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: '#total = :total',
            ExpressionAttributeNames: { '#total': 'total' },
            ExpressionAttributeValues: { ':total': count.total },
          }),
    },
  };
}
