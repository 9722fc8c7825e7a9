import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Item, Placeholders } from './expressions.ts';
import { holds, updated } from './expressions.ts';
import { marshalled, stored } from './marshalled.ts';
import type { MemoryTableOptions, TableChange } from './options.ts';

interface Conditional {
  readonly ConditionExpression?: string | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

type Write = Conditional & {
  readonly kind: 'put' | 'update' | 'delete' | 'check';
  readonly key: Key;
  readonly item?: Item;
};

const itemKey = z.object({ pk: z.string().min(1), sk: z.string().min(1) });
type Key = z.infer<typeof itemKey>;

const placeholdersOf = (given: Conditional): Placeholders => ({
  names: given.ExpressionAttributeNames ?? {},
  values: stored(given.ExpressionAttributeValues ?? {}),
});

/** An item and its previous version, which an eventually consistent read may still return. */
interface Kept {
  item: Item | undefined;
  previous: Item | undefined;
}

const nothing: Item = {};
const present = (item: Item | undefined): readonly Item[] => (item === undefined ? [] : [item]);
const mostInTransaction = 100;

/**
 * A table in memory with DynamoDB's semantics, behind the document client's `send`:
 *
 * - condition and update expressions
 * - atomic transactions that take effect once per token
 * - queries in the order of sort keys
 * - strongly and eventually consistent reads, and indexes
 *
 * The ledger's tests run against it and against the real one. It rejects anything that it does not support.
 */
export class MemoryTable {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
  readonly #options: MemoryTableOptions;
  readonly #partitions = new Map<string, Map<string, Kept>>();
  /** The items of each index, so that the few open batches are found without a search of a hundred thousand payouts. */
  readonly #indexed = new Map<string, Map<string, Kept>>();
  /** The sort keys of partitions that were queried, in order. Forgotten when one is added. */
  readonly #orders = new Map<string, readonly string[]>();
  readonly #transactions = new Map<string, TransactWriteCommand['input']['TransactItems']>();

  constructor(options: MemoryTableOptions = {}) {
    this.name = options.name ?? 'memory';
    this.#options = options;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'none' }));
    this.client = Object.assign(client, { send: async (command: unknown) => this.answer(command) });
  }

  /** The items of all partitions with this prefix, like a scan. Plain loops, because the simulation calls it at each event. */
  items(beginsWith = ''): readonly Item[] {
    const found: Item[] = [];
    for (const [pk, own] of this.#partitions) {
      if (!pk.startsWith(beginsWith)) continue;
      for (const { item } of own.values()) if (item !== undefined) found.push(item);
    }
    return found;
  }

  /** The current item of a key. */
  item(key: Key): Item | undefined {
    return this.#partitions.get(key.pk)?.get(key.sk)?.item;
  }

  /** The items of a partition whose sort keys have this prefix, in order. */
  partition(pk: string, beginsWith = ''): readonly Item[] {
    return this.#sorted(pk)
      .filter(([sk]) => sk.startsWith(beginsWith))
      .flatMap(([, { item }]) => present(item));
  }

  /** Deletes the items whose partition key has this prefix, and returns them. */
  take(prefix: string): readonly Item[] {
    const taken = [...this.#partitions].filter(([pk]) => pk.startsWith(prefix));
    for (const [pk, own] of taken) {
      this.#partitions.delete(pk);
      this.#orders.delete(pk);
      for (const sk of own.keys()) for (const inside of this.#indexed.values()) inside.delete(`${pk}\n${sk}`);
    }
    return taken.flatMap(([, own]) => [...own.values()].flatMap(({ item }) => present(item)));
  }

  /** DynamoDB's response to a command, immediate and atomic. Throws DynamoDB's exceptions. */
  answer(command: unknown): unknown {
    if (command instanceof GetCommand) return this.#getOne(command);
    if (command instanceof BatchGetCommand) return this.#getMany(command);
    if (command instanceof QueryCommand) return this.#query(command);
    if (command instanceof PutCommand)
      return this.#single({ ...command.input, kind: 'put', ...this.#toPut(command.input.Item) });
    if (command instanceof UpdateCommand) {
      const after = this.#single({ ...command.input, kind: 'update', key: itemKey.parse(command.input.Key) });
      return command.input.ReturnValues === 'ALL_NEW' ? { Attributes: after } : {};
    }
    if (command instanceof DeleteCommand) {
      this.#single({ ...command.input, kind: 'delete', key: itemKey.parse(command.input.Key) });
      return {};
    }
    if (command instanceof BatchWriteCommand) return this.#writeMany(command);
    if (command instanceof TransactWriteCommand) return this.#transact(command);
    throw new Error(`${command?.constructor.name} is not supported`);
  }

  #toPut(given: unknown): { readonly key: Key; readonly item: Item } {
    const item = stored(z.record(z.string(), z.unknown()).parse(given));
    return { key: itemKey.parse(item), item };
  }

  #getOne({ input }: GetCommand): unknown {
    const item = this.#read(itemKey.parse(input.Key), input.ConsistentRead === true);
    return item === undefined ? {} : { Item: item };
  }

  #getMany({ input }: BatchGetCommand): unknown {
    const found = Object.entries(input.RequestItems ?? {}).map(([name, asked]) => {
      const { Keys = [], ConsistentRead, ProjectionExpression, ExpressionAttributeNames = {} } = asked;
      const shown = ProjectionExpression?.split(', ').map((word) => ExpressionAttributeNames[word] ?? word);
      const items = Keys.flatMap((key) => present(this.#read(itemKey.parse(key), ConsistentRead === true)));
      return [name, items.map((item) => (shown === undefined ? item : only(item, shown)))] as const;
    });
    return { Responses: Object.fromEntries(found) };
  }

  #writeMany({ input }: BatchWriteCommand): unknown {
    for (const { PutRequest, DeleteRequest } of Object.values(input.RequestItems ?? {}).flat()) {
      if (PutRequest === undefined) this.#single({ kind: 'delete', key: itemKey.parse(DeleteRequest?.Key) });
      else this.#single({ kind: 'put', ...this.#toPut(PutRequest.Item) });
    }
    return {};
  }

  #read({ pk, sk }: Key, isConsistent: boolean): Item | undefined {
    const kept = this.#partitions.get(pk)?.get(sk);
    if (kept === undefined) return undefined;
    return !isConsistent && this.#options.isBehind?.() === true ? kept.previous : kept.item;
  }

  #sorted(pk: string): readonly (readonly [string, Kept])[] {
    const own = this.#partitions.get(pk);
    if (own === undefined) return [];
    const order = this.#orders.get(pk) ?? [...own.keys()].sort();
    this.#orders.set(pk, order);
    return order.flatMap((sk) => {
      const kept = own.get(sk);
      return kept === undefined ? [] : [[sk, kept] as const];
    });
  }

  #query({ input }: QueryCommand): unknown {
    const isConsistent = input.ConsistentRead === true;
    if (isConsistent && input.IndexName !== undefined)
      throw new Error('ValidationException: an index is never consistent');
    const given = placeholdersOf(input);
    const all = this.#candidates(input.IndexName, given, isConsistent);
    const condition = input.KeyConditionExpression ?? '';
    const inRange = all.filter((item) => holds(condition, item, given));
    if (input.ScanIndexForward === false) inRange.reverse();
    const start = input.ExclusiveStartKey;
    const from =
      start === undefined
        ? 0
        : 1 + inRange.findIndex((item) => item['pk'] === start['pk'] && item['sk'] === start['sk']);
    const page = inRange.slice(from, input.Limit === undefined ? undefined : from + input.Limit);
    const last = page.at(-1);
    const { FilterExpression } = input;
    const shown = FilterExpression === undefined ? page : page.filter((item) => holds(FilterExpression, item, given));
    const isCut = last !== undefined && from + page.length < inRange.length;
    return {
      Items: shown,
      Count: shown.length,
      ...(isCut ? { LastEvaluatedKey: { pk: last['pk'], sk: last['sk'] } } : {}),
    };
  }

  /** The items that a query may find, in order: those of its partition, or of an index. */
  #candidates(indexName: string | undefined, { values }: Placeholders, isConsistent: boolean): Item[] {
    const seen = (kept: Kept): readonly Item[] =>
      present(!isConsistent && this.#options.isBehind?.() === true ? kept.previous : kept.item);
    if (indexName === undefined) return this.#sorted(String(values[':pk'])).flatMap(([, kept]) => seen(kept));
    const index = this.#options.indexes?.find(({ name }) => name === indexName);
    if (index === undefined) throw new Error(`unknown index: ${indexName}`);
    const { partitionKey, sortKey, projection } = index;
    const keys = ['pk', 'sk', partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
    return [...(this.#indexed.get(index.name)?.values() ?? [])]
      .flatMap(seen)
      .filter((item) => keys.every((key) => item[key] !== undefined))
      .map((item) => (projection === 'ALL' ? item : only(item, keys)))
      .sort((a, b) => (String(a[sortKey ?? 'sk']) < String(b[sortKey ?? 'sk']) ? -1 : 1));
  }

  #single(write: Write): Item | undefined {
    if (!this.#isMet(write)) {
      const item = this.item(write.key);
      const returnsItem = write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && item !== undefined;
      throw new ConditionalCheckFailedException({
        $metadata: {},
        message: 'The conditional request failed',
        ...(returnsItem ? { Item: marshalled(item) } : {}),
      });
    }
    const change = this.#changeOf(write);
    this.#write([[write.key, change]]);
    return change.after;
  }

  #transact({ input }: TransactWriteCommand): unknown {
    const token = input.ClientRequestToken;
    const made = token === undefined ? undefined : this.#transactions.get(token);
    if (made !== undefined) {
      if (textOf(made) === textOf(input.TransactItems)) return {};
      throw new IdempotentParameterMismatchException({ $metadata: {}, message: 'another request' });
    }
    const writes = (input.TransactItems ?? []).map((item): Write => {
      if (item.Put) return { ...item.Put, kind: 'put', ...this.#toPut(item.Put.Item) };
      if (item.Update) return { ...item.Update, kind: 'update', key: itemKey.parse(item.Update.Key) };
      if (item.Delete) return { ...item.Delete, kind: 'delete', key: itemKey.parse(item.Delete.Key) };
      return { ...item.ConditionCheck, kind: 'check', key: itemKey.parse(item.ConditionCheck?.Key) };
    });
    const keys = new Set(writes.map(({ key }) => `${key.pk}\n${key.sk}`));
    if (keys.size !== writes.length || writes.length > mostInTransaction || writes.length === 0) {
      throw new Error('ValidationException: a transaction has 1 to 100 items, each once');
    }
    const isMet = writes.map((write) => this.#isMet(write));
    if (isMet.includes(false)) throw this.#canceled(writes, isMet);
    const changes = writes
      .filter(({ kind }) => kind !== 'check')
      .map((write) => [write.key, this.#changeOf(write)] as const);
    if (token !== undefined) this.#transactions.set(token, input.TransactItems);
    this.#write(changes);
    return {};
  }

  #canceled(writes: readonly Write[], isMet: readonly boolean[]): TransactionCanceledException {
    return new TransactionCanceledException({
      $metadata: {},
      message: 'Transaction cancelled',
      CancellationReasons: writes.map(({ key, ReturnValuesOnConditionCheckFailure: returned }, index) => {
        if (isMet[index] === true) return { Code: 'None' };
        const item = returned === 'ALL_OLD' ? this.item(key) : undefined;
        return { Code: 'ConditionalCheckFailed', ...(item === undefined ? {} : { Item: marshalled(item) }) };
      }),
    });
  }

  #isMet(write: Write): boolean {
    const { ConditionExpression: condition } = write;
    return condition === undefined || holds(condition, this.item(write.key) ?? nothing, placeholdersOf(write));
  }

  #changeOf(write: Write): TableChange {
    const before = this.item(write.key);
    if (write.kind === 'delete') return { before, after: undefined };
    if (write.kind === 'put') return { before, after: write.item };
    return {
      before,
      after: stored(updated(write.UpdateExpression ?? '', before ?? write.key, placeholdersOf(write))),
    };
  }

  #write(changes: readonly (readonly [Key, TableChange])[]): void {
    for (const [{ pk, sk }, { before, after }] of changes) {
      const own = this.#partitions.get(pk) ?? new Map<string, Kept>();
      const kept = { item: after, previous: before };
      if (!own.has(sk)) this.#orders.delete(pk);
      own.set(sk, kept);
      this.#partitions.set(pk, own);
      this.#index(`${pk}\n${sk}`, kept);
    }
    this.#options.onWrite?.(changes.map(([, change]) => change));
  }

  #index(key: string, kept: Kept): void {
    for (const { name, partitionKey } of this.#options.indexes ?? []) {
      const inside = this.#indexed.get(name) ?? new Map<string, Kept>();
      this.#indexed.set(name, inside);
      if (kept.item?.[partitionKey] === undefined && kept.previous?.[partitionKey] === undefined) inside.delete(key);
      else inside.set(key, kept);
    }
  }
}

const only = (item: Item, attributes: readonly string[]): Item =>
  Object.fromEntries(attributes.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));

/** JSON has no notation for sets, so they are written as sorted lists. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (part instanceof Set ? [...part].sort() : part));
