import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';

/** The service's one table, with the client that reads and writes it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

export type Item = Record<string, unknown>;

/** One write of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** An item by its key, read strongly consistently. */
export const getItem = async (table: Table, key: Key): Promise<Item | undefined> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { ...key }, ConsistentRead: true }),
  );
  return answer.Item;
};

/** Writes an item, whether or not it exists. */
export const putItem = async (table: Table, item: Item): Promise<void> => {
  await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
};

/** All items of a partition, or those between two sort keys, both included: in order and strongly consistent. */
export const queryAll = async (
  table: Table,
  pk: string,
  between?: { readonly from: string; readonly to: string },
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: between === undefined ? 'pk = :pk' : 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues:
          between === undefined ? { ':pk': pk } : { ':pk': pk, ':from': between.from, ':to': between.to },
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    items.push(...(answer.Items ?? []));
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
};

/** Puts an item on condition that its key is free. */
export const putNew = (table: Table, item: Item) => ({
  Put: { TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
});

/**
 * Changes an item on condition that it still has the version on which the change was based.
 *
 * @param attributes their new values; undefined removes the attribute
 */
export const updateVersioned = (
  table: Table,
  key: Key,
  decidedOn: number,
  attributes: Readonly<Record<string, unknown>>,
): TransactItem => {
  const kept = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const removed = Object.keys(attributes).filter((name) => attributes[name] === undefined);
  const removal = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
  return {
    Update: {
      TableName: table.name,
      Key: { ...key },
      UpdateExpression: `SET ${kept.map(([name]) => `#${name} = :${name}`).join(', ')}${removal}`,
      ConditionExpression: '#version = :decidedOn',
      ExpressionAttributeNames: Object.fromEntries(Object.keys(attributes).map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(kept.map(([name, value]) => [`:${name}`, value])),
        ':decidedOn': decidedOn,
      },
    },
  };
};

/** Whether the condition of a single write held. */
export const conditionHeld = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** Why a transaction was canceled: one reason per write, in order. */
interface Cancellation {
  readonly error: TransactionCanceledException;
  readonly reasons: readonly {
    readonly code: string;
    /** The existing item, marshalled, if the write asked for it. */
    readonly item?: Readonly<Record<string, unknown>> | undefined;
  }[];
}

/**
 * Runs a transaction.
 *
 * @returns undefined when it was written, or the reasons why nothing was
 */
export const transact = async (table: Table, writes: readonly TransactItem[]): Promise<Cancellation | undefined> => {
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: [...writes] }));
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    return { error, reasons: reasons.map(({ Code, Item }) => ({ code: Code ?? 'None', item: Item })) };
  }
};

/** Whether the write at this position failed its condition. */
export const failedCondition = ({ reasons }: Cancellation, index: number): boolean =>
  reasons[index]?.code === 'ConditionalCheckFailed';

/** A conflict with concurrent transactions on the same items. Expected, and over in milliseconds. */
const conflictCodes: ReadonlySet<string> = new Set(['TransactionConflict', 'ThrottlingError']);

export const isConflict = ({ reasons }: Cancellation): boolean => reasons.some(({ code }) => conflictCodes.has(code));
