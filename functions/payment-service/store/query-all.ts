import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

/** All items of a partition, or of a run of its sort keys, in order and read strongly consistently. */
export const queryAll = async (
  table: Table,
  pk: string,
  run?: { readonly from: string; readonly to: string },
): Promise<readonly Record<string, unknown>[]> => {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: run === undefined ? 'pk = :pk' : 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ...(run === undefined ? {} : { ':from': run.from, ':to': run.to }) },
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    items.push(...(answer.Items ?? []));
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
};
