import { setTimeout as inRealTime } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { InvariantBroken } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import type { Clock, Ids, Random } from '../../ports/environment.ts';
import { plainItem } from './attribute-values.ts';
import type { Waiting } from './contention.ts';
import { backoffMs, underContention } from './contention.ts';
import type { Expression } from './expressions.ts';
import type { Key } from './keys.ts';
import { ledgerTable } from './table.ts';
import type { Write } from './writes.ts';
import { requestOf, returningOld, transactItem, updating } from './writes.ts';

/** The dependencies of the whole ledger. */
export interface LedgerDependencies {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  /** Waits between attempts under contention. Real time by default; tests replace it. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** An item before its codec has read it. */
export type Item = Readonly<Record<string, unknown>>;

export type Written =
  /** `item` is the item after the write (updates only). */
  | { readonly kind: 'written'; readonly item?: Item }
  /** The condition failed. `item` is the existing item, undefined when there is none. */
  | { readonly kind: 'refused'; readonly item?: Item };

export type Transacted =
  | { readonly kind: 'written' }
  /** One entry per write, in order. `item` only when the write set `returnsOld` and the item exists. */
  | { readonly kind: 'refused'; readonly writes: readonly { readonly failed: boolean; readonly item?: Item }[] };

interface RangeQuery {
  readonly pk: string;
  /** The sort keys that start with this, except as `from` and `to` say. */
  readonly prefix: string;
  /** Sort keys from here, inclusive, instead of the first with the prefix. */
  readonly from?: string;
  /** Sort keys up to here, inclusive, instead of the last with the prefix. */
  readonly to?: string | undefined;
  /** Items per page: a hint for callers that stop early. */
  readonly pageSize?: number;
  /** False reads eventually consistently at half the price. Never use it for decisions about money. */
  readonly consistent?: boolean;
  readonly newestFirst?: boolean;
}

interface IndexQuery {
  readonly index: keyof typeof ledgerTable.indexes;
  /** Value of the index's partition key. */
  readonly value: string;
  /** Only this sort key, or only those below one. */
  readonly sortKey?: { readonly is: string } | { readonly below: string };
  /** Continues after the item with these keys: all of the table's and the index's. */
  readonly after?: Readonly<Record<string, string>>;
  readonly newestFirst?: boolean;
  readonly pageSize?: number;
}

/** The most items in one BatchGetItem or TransactWriteItems: limits of DynamoDB. */
export const requestItems = 100;

/** Consecutive BatchGetItems with unread keys before it counts as an outage. */
const mostUnprocessedInARow = 20;

/** Sorts after every character of a key, so `prefix` to `prefix + afterAll` covers everything that starts with the prefix. */
const afterAll = '\uffff';

const oldItem = ({ Item: item }: { readonly Item?: Record<string, AttributeValue> | undefined }): { item?: Item } =>
  given({ item: item && plainItem(item) });

/**
 * The table as the ledger uses it. Reads are strongly consistent by default, and complete. A failed condition is a value that
 * holds the existing item. Contention is retried. The SDK repeats a request whose response was lost, and each caller states what
 * the repetition finds.
 */
export const createStore = ({ client, table, ids, random, wait = inRealTime }: LedgerDependencies) => {
  const waiting: Waiting = { random, wait };

  /** A write that returns the existing item when its condition fails. */
  const write = (condition: Expression | undefined, update?: Expression) =>
    requestOf(table, { condition, update, returnsOld: condition !== undefined });

  const get = async (key: Key): Promise<Item | undefined> => {
    const { Item: item } = await underContention(waiting, () =>
      client.send(new GetCommand({ TableName: table, Key: { ...key }, ConsistentRead: true })),
    );
    return item;
  };

  /** The item, as its codec reads it. Undefined when there is none. */
  const read = async <Value>(key: Key, readItem: (item: Item) => Value): Promise<Value | undefined> => {
    const item = await get(key);
    return item === undefined ? undefined : readItem(item);
  };

  /** Items by key, in no order. Missing items are left out. */
  const getMany = async (
    wanted: readonly Key[],
    { consistent }: { readonly consistent: boolean },
  ): Promise<readonly Item[]> => {
    const items: Item[] = [];
    let left: Record<string, unknown>[] = wanted.map((key) => ({ ...key }));
    for (let unprocessedInARow = 0; left.length > 0; ) {
      const requested = left.slice(0, requestItems);
      const { Responses, UnprocessedKeys } = await underContention(waiting, () =>
        client.send(
          new BatchGetCommand({ RequestItems: { [table]: { Keys: requested, ConsistentRead: consistent } } }),
        ),
      );
      const unprocessed = UnprocessedKeys?.[table]?.Keys ?? [];
      items.push(...(Responses?.[table] ?? []));
      left = [...left.slice(requestItems), ...unprocessed];
      unprocessedInARow = unprocessed.length === 0 ? 0 : unprocessedInARow + 1;
      if (unprocessedInARow > mostUnprocessedInARow) throw new Error('ledger_reads_throttled');
      if (unprocessedInARow > 0) await wait(backoffMs(random, unprocessedInARow));
    }
    return items;
  };

  const pages = async function* (request: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
    let next = request.ExclusiveStartKey;
    do {
      const page = await underContention(waiting, () =>
        client.send(new QueryCommand({ ...request, TableName: table, ...given({ ExclusiveStartKey: next }) })),
      );
      yield* page.Items ?? [];
      next = page.LastEvaluatedKey;
    } while (next !== undefined);
  };

  /** All items in a range of one partition, in order, page by page. */
  const query = ({ pk, prefix, from, to, pageSize, consistent = true, newestFirst = false }: RangeQuery) =>
    pages({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': pk, ':from': from ?? prefix, ':to': to ?? `${prefix}${afterAll}` },
      ConsistentRead: consistent,
      ScanIndexForward: !newestFirst,
      ...given({ Limit: pageSize }),
    });

  /** All items of one partition under a prefix, in order, as their codec reads them. */
  const list = <Value>(pk: string, prefix: string, readItem: (item: Item) => Value, consistent = true) =>
    Array.fromAsync(query({ pk, prefix, consistent }), readItem);

  /** Reads an index, page by page. Indexes are eventually consistent, so decisions about money read the table. */
  const queryIndex = ({ index, value, sortKey, after, newestFirst = false, pageSize }: IndexQuery) => {
    const { name, ...attributes } = ledgerTable.indexes[index];
    const sort =
      sortKey && ('is' in sortKey ? { operator: '=', key: sortKey.is } : { operator: '<', key: sortKey.below });
    const onSortKey = sort === undefined ? '' : ` AND #sort ${sort.operator} :sort`;
    return pages({
      IndexName: name,
      KeyConditionExpression: `#partition = :partition${onSortKey}`,
      ExpressionAttributeNames: {
        '#partition': attributes.partitionKey,
        ...given({ '#sort': sort && attributes.sortKey }),
      },
      ExpressionAttributeValues: { ':partition': value, ...given({ ':sort': sort?.key }) },
      ScanIndexForward: !newestFirst,
      ...given({ Limit: pageSize, ExclusiveStartKey: after }),
    });
  };

  const conditionally = async (
    request: () => Promise<{ readonly Attributes?: Item | undefined }>,
  ): Promise<Written> => {
    try {
      const { Attributes } = await underContention(waiting, request);
      return { kind: 'written', ...given({ item: Attributes }) };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { kind: 'refused', ...oldItem(error) };
      throw error;
    }
  };

  const put = (item: Key, condition: Expression): Promise<Written> =>
    conditionally(() => client.send(new PutCommand({ ...write(condition), Item: { ...item } })));

  /** Puts an item that only one run writes, always with the same content. */
  const putOwn = async (item: Key): Promise<void> => {
    await underContention(waiting, () => client.send(new PutCommand({ TableName: table, Item: { ...item } })));
  };

  const update = (key: Key, change: Expression, condition?: Expression): Promise<Written> => {
    const request = { ...write(condition, change), Key: { ...key }, UpdateExpression: change.text };
    return conditionally(() => client.send(new UpdateCommand({ ...request, ReturnValues: 'ALL_NEW' })));
  };

  const remove = (key: Key, condition: Expression): Promise<Written> =>
    conditionally(() => client.send(new DeleteCommand({ ...write(condition), Key: { ...key } })));

  /**
   * Writes all or nothing. All attempts share one token, so an attempt whose response was lost is not made twice: within ten
   * minutes DynamoDB returns the first result.
   */
  const transact = async (writes: readonly Write[]): Promise<Transacted> => {
    if (writes.length > requestItems) throw new InvariantBroken('transaction_too_large');
    const command = {
      TransactItems: writes.map((one) => transactItem(table, one)),
      ClientRequestToken: ids.unique(),
    };
    try {
      await underContention(waiting, () => client.send(new TransactWriteCommand(command)));
      return { kind: 'written' };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      if (reasons.every(({ Code }) => Code !== 'ConditionalCheckFailed')) throw error;
      return {
        kind: 'refused',
        writes: reasons.map((reason) => ({ failed: reason.Code === 'ConditionalCheckFailed', ...oldItem(reason) })),
      };
    }
  };

  /** Updates an item, together with other writes if there are any. Then `item` is read after them, and may show a later change. */
  const move = async (
    key: Key,
    change: Expression,
    condition: Expression,
    others: readonly Write[],
  ): Promise<{ readonly kind: 'moved' | 'refused'; readonly item?: Item }> => {
    if (others.length === 0) {
      const { kind, ...found } = await update(key, change, condition);
      return { kind: kind === 'written' ? 'moved' : 'refused', ...found };
    }
    const result = await transact([returningOld(updating(key, change, condition)), ...others]);
    if (result.kind === 'written') return { kind: 'moved', ...given({ item: await get(key) }) };
    return { kind: 'refused', ...given({ item: result.writes[0]?.item }) };
  };

  return { get, read, getMany, query, list, queryIndex, put, putOwn, update, move, remove, transact };
};

export type Store = ReturnType<typeof createStore>;

/** What each part of the ledger works with. All parts share one store. */
export interface PartDependencies extends Pick<LedgerDependencies, 'clock' | 'ids'> {
  readonly store: Store;
}
