import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { GetCommand, PutCommand, paginateQuery, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import type { Key } from './keys.ts';

/** The service's one table, with the client that reads and writes it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

export type Item = Record<string, unknown>;

type NamedWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Unnamed<Kind extends 'Put' | 'Update'> = Omit<NonNullable<NamedWrite[Kind]>, 'TableName'>;

/** One write of a transaction. `transact` names the table. */
export type TransactItem = { readonly Put: Unnamed<'Put'> } | { readonly Update: Unnamed<'Update'> };

/** An item by its key, read strongly consistently. */
export const getItem = async <Found>(table: Table, key: Key, schema: z.ZodType<Found>): Promise<Found | undefined> => {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  return Item === undefined ? undefined : schema.parse(Item);
};

/** Writes an item, whether or not it exists. */
export const putItem = async (table: Table, item: Item): Promise<void> => {
  await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
};

const query = async (
  table: Table,
  condition: string,
  values: Readonly<Record<string, string>>,
): Promise<readonly Item[]> => {
  const input = {
    TableName: table.name,
    KeyConditionExpression: condition,
    ExpressionAttributeValues: values,
    ConsistentRead: true,
  };
  const items: Item[] = [];
  for await (const { Items = [] } of paginateQuery({ client: table.client }, input)) items.push(...Items);
  return items;
};

/** All items of a partition, in order and strongly consistent. */
export const queryAll = (table: Table, pk: string): Promise<readonly Item[]> => query(table, 'pk = :pk', { ':pk': pk });

/** The items of a partition between two keys, both included: in order and strongly consistent. */
export const queryBetween = (table: Table, from: Key, to: Key): Promise<readonly Item[]> =>
  query(table, 'pk = :pk AND sk BETWEEN :from AND :to', { ':pk': from.pk, ':from': from.sk, ':to': to.sk });

/** Puts an item on condition that its key is free. */
export const putNew = (item: Item) => ({
  Put: { Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
});

/** The condition that a counter is as it was read: at this value, or absent if that was 0. */
export const unchanged = (counter: string, was: number) =>
  was === 0
    ? { ConditionExpression: `attribute_not_exists(${counter})` }
    : { ConditionExpression: `${counter} = :was`, ExpressionAttributeValues: { ':was': was } };

/** Puts an item on condition that its counter is unchanged. */
export const putNext = (item: Item, counter: string, was: number): TransactItem => ({
  Put: { Item: item, ...unchanged(counter, was) },
});

/** Puts an item if its key is free. False when it was taken. */
export const putIfFree = (table: Table, item: Item): Promise<boolean> =>
  conditionHeld(table.client.send(new PutCommand({ TableName: table.name, ...putNew(item).Put })));

type Update = Omit<Unnamed<'Update'>, 'Key'>;

/** The write that updates an item. */
export const update = (key: Key, how: Update): TransactItem => ({ Update: { Key: key, ...how } });

/** Updates an item immediately. Returns its new state. */
export const updateNow = async (table: Table, key: Key, how: Update): Promise<Item> => {
  const { Attributes = {} } = await table.client.send(
    new UpdateCommand({ TableName: table.name, Key: key, ReturnValues: 'ALL_NEW', ...how }),
  );
  return Attributes;
};

interface Edits {
  /** New values. Undefined removes the attribute. */
  readonly set?: Item;
  /** Added to a number or a set. A missing attribute counts as 0 or empty. */
  readonly add?: Item;
  /** Removed from a set. */
  readonly delete?: Item;
}

const nameAndValue = (n: number): string => `#n${n} :n${n}`;

/** How the attribute of a number is edited. */
const edit = {
  SET: (n: number) => `#n${n} = :n${n}`,
  REMOVE: (n: number) => `#n${n}`,
  ADD: nameAndValue,
  DELETE: nameAndValue,
} as const;

/** The expressions of an update. Attributes are numbered there, because names can be reserved words or contain `#`. */
export const edits = ({ set = {}, add = {}, delete: gone = {} }: Edits, condition?: ReturnType<typeof unchanged>) => {
  const edited = (verb: keyof typeof edit, items: Item) =>
    Object.entries(items).map(
      ([name, value]) => ({ verb: value === undefined ? 'REMOVE' : verb, name, value }) as const,
    );
  const all = [...edited('SET', set), ...edited('ADD', add), ...edited('DELETE', gone)];
  const byVerb = Map.groupBy(all.entries(), ([, { verb }]) => verb);
  return {
    ...condition,
    UpdateExpression: [...byVerb]
      .map(([verb, own]) => `${verb} ${own.map(([n]) => edit[verb](n)).join(', ')}`)
      .join(' '),
    ExpressionAttributeNames: Object.fromEntries(all.map(({ name }, n) => [`#n${n}`, name])),
    // The document client omits undefined values.
    ExpressionAttributeValues: {
      ...Object.fromEntries(all.map(({ value }, n) => [`:n${n}`, value])),
      ...condition?.ExpressionAttributeValues,
    },
  };
};

/**
 * Changes an item on condition that it still has the version on which the change was based.
 *
 * @param attributes their new values; undefined removes the attribute
 */
export const updateVersioned = (key: Key, decidedOn: number, attributes: Item): TransactItem =>
  update(key, edits({ set: attributes }, unchanged('version', decidedOn)));

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

/**
 * Reasons after which another attempt may succeed: failed conditions, conflicts with concurrent transactions, which are over in
 * milliseconds, and throttling. `None` is the reason of writes that were not to blame.
 */
const expectedReasons: ReadonlySet<string | undefined> = new Set([
  ...['None', 'ConditionalCheckFailed'],
  ...['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'],
]);

const isExpected = ({ CancellationReasons = [] }: TransactionCanceledException): boolean =>
  CancellationReasons.every(({ Code }) => expectedReasons.has(Code));

const withName = (write: TransactItem, TableName: string): NamedWrite =>
  'Put' in write ? { Put: { TableName, ...write.Put } } : { Update: { TableName, ...write.Update } };

/**
 * Runs a transaction.
 *
 * @returns undefined when it was written, or the error with the reasons why nothing was: one per write, in order
 * @throws TransactionCanceledException for a reason that would cancel it again, such as an item that is too large
 */
export const transact = async (table: Table, writes: readonly TransactItem[]) => {
  try {
    await table.client.send(
      new TransactWriteCommand({ TransactItems: writes.map((write) => withName(write, table.name)) }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof TransactionCanceledException && isExpected(error)) return error;
    throw error;
  }
};

/** Whether the write at this position failed its condition. */
export const failedCondition = ({ CancellationReasons }: TransactionCanceledException, index: number): boolean =>
  CancellationReasons?.[index]?.Code === 'ConditionalCheckFailed';
