import { setTimeout as waitMs } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { underContention } from './contention.ts';
import type { Item, LedgerDependencies } from './store.ts';

export interface IndexQuery {
  readonly index: string;
  readonly partition: { readonly name: string; readonly value: string };
  /** Only sort keys below this. */
  readonly before?: { readonly name: string; readonly value: string };
  readonly newestFirst?: boolean;
}

/** Reads an index, page after page. Indexes are eventually consistent: what decides about money reads the table. */
export const createIndexQuery = ({ client, table, random, wait = waitMs }: LedgerDependencies) =>
  async function* ({ index, partition, before, newestFirst = false }: IndexQuery): AsyncGenerator<Item> {
    let next: Record<string, unknown> | undefined;
    do {
      const page = await underContention({ random, wait }, () =>
        client.send(
          new QueryCommand({
            TableName: table,
            IndexName: index,
            KeyConditionExpression: `#partition = :partition${before ? ' AND #sort < :before' : ''}`,
            ExpressionAttributeNames: { '#partition': partition.name, ...(before ? { '#sort': before.name } : {}) },
            ExpressionAttributeValues: {
              ':partition': partition.value,
              ...(before ? { ':before': before.value } : {}),
            },
            ScanIndexForward: !newestFirst,
            ...(next === undefined ? {} : { ExclusiveStartKey: next }),
          }),
        ),
      );
      yield* page.Items ?? [];
      next = page.LastEvaluatedKey;
    } while (next !== undefined);
  };
