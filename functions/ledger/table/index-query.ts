import { setTimeout as waitMs } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { given } from '../../domain/given.ts';
import { underContention } from './contention.ts';
import type { Item, LedgerDependencies } from './store.ts';

interface IndexQuery {
  readonly index: string;
  readonly partition: { readonly name: string; readonly value: string };
  /** Only sort keys below this. */
  readonly before?: { readonly name: string; readonly value: string };
  /** Only this sort key. */
  readonly at?: { readonly name: string; readonly value: string };
  /** Continues after the item with these keys: all of the table's and the index's. */
  readonly after?: Readonly<Record<string, string>>;
  readonly newestFirst?: boolean;
  readonly pageSize?: number;
}

/** The part of the key condition about the sort key. */
const onSortKey = ({ before, at }: IndexQuery) => {
  const sort = before ?? at;
  if (sort === undefined) return { condition: '', names: {}, values: {} };
  const condition = ` AND #sort ${before === undefined ? '=' : '<'} :sort`;
  return { condition, names: { '#sort': sort.name }, values: { ':sort': sort.value } };
};

/** Reads an index, page by page. Indexes are eventually consistent, so decisions about money read the table. */
export const createIndexQuery = ({ client, table, random, wait = waitMs }: LedgerDependencies) =>
  async function* (query: IndexQuery): AsyncGenerator<Item> {
    const { index, partition, after, newestFirst = false, pageSize } = query;
    const sort = onSortKey(query);
    let next: Readonly<Record<string, unknown>> | undefined = after;
    do {
      const page = await underContention({ random, wait }, () =>
        client.send(
          new QueryCommand({
            TableName: table,
            IndexName: index,
            KeyConditionExpression: `#partition = :partition${sort.condition}`,
            ExpressionAttributeNames: { '#partition': partition.name, ...sort.names },
            ExpressionAttributeValues: { ':partition': partition.value, ...sort.values },
            ScanIndexForward: !newestFirst,
            ...given({ Limit: pageSize, ExclusiveStartKey: next }),
          }),
        ),
      );
      yield* page.Items ?? [];
      next = page.LastEvaluatedKey;
    } while (next !== undefined);
  };
