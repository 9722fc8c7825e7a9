import * as z from 'zod';
import type { Exchange } from './aws-meter.ts';
import type { WireItem } from './item-size.ts';
import { itemBytes, wireItem } from './item-size.ts';

/** Use of a table. */
export interface TableUse {
  /** Items put, updated or deleted, including in transactions. Refused writes are excluded. */
  readonly writes: number;
  /** Write request units, including indexes: one per KB, two in a transaction. Refused writes cost as much. */
  readonly writeUnits: number;
  /** Read request units: one per 4 KB of strongly consistent reads, otherwise half. */
  readonly readUnits: number;
}

export interface TableIndex {
  readonly partitionKey: string;
  readonly projection: 'KEYS_ONLY' | 'ALL';
}

export interface MeteredTable {
  readonly table: string;
  readonly keys: readonly string[];
  readonly indexes: readonly TableIndex[];
}

const names = z.record(z.string(), z.string()).default({});
const write = z.object({
  TableName: z.string(),
  Item: wireItem.optional(),
  Key: wireItem.optional(),
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: wireItem.default({}),
});
type Write = z.infer<typeof write>;

const transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: write.optional(),
      Update: write.optional(),
      Delete: write.optional(),
      ConditionCheck: write.optional(),
    }),
  ),
});
const read = z.object({ TableName: z.string(), Key: wireItem.optional(), ConsistentRead: z.boolean().default(false) });
const batchRead = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(wireItem), ConsistentRead: z.boolean().default(false) })),
});
const items = z.object({ Items: z.array(wireItem).default([]) });
const oneItem = z.object({ Item: wireItem.optional() });
const attributes = z.object({ Attributes: wireItem.optional() });
const refusal = z.object({ __type: z.string().default('') });

/** Errors of requests that DynamoDB charges for, because it has already read the items. */
const charged = /ConditionalCheckFailed|TransactionCanceled/;

const kilobytes = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));
const readUnitsOf = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

const json = (body: Buffer): unknown => JSON.parse(body.toString('utf8') || '{}');

/**
 * Counts the use of one table by requests to DynamoDB. The size of an item updated in a transaction is unknown. It is estimated
 * as its last seen size plus all new values, which is never too small.
 */
export class TableMeter {
  readonly #metered: MeteredTable;
  readonly #bytes = new Map<string, number>();
  readonly #indexed = new Map<string, Set<string>>();
  #writes = 0;
  #writeUnits = 0;
  #readUnits = 0;
  #unknown: string | undefined;

  constructor(metered: MeteredTable) {
    this.#metered = metered;
  }

  /** @throws Error after a request of unknown cost */
  get use(): TableUse {
    if (this.#unknown !== undefined) throw new Error(`unknown cost: ${this.#unknown}`);
    return { writes: this.#writes, writeUnits: this.#writeUnits, readUnits: this.#readUnits };
  }

  observe({ target, requestBody, status, responseBody }: Exchange): void {
    const [service = '', operation] = target.split('.');
    if (!service.startsWith('DynamoDB_')) return;
    if (status >= 500 || (status >= 400 && !charged.test(refusal.parse(json(responseBody)).__type))) return;
    const asked = json(requestBody);
    const answered = json(responseBody);
    const done = status < 400;
    switch (operation) {
      case 'PutItem':
      case 'UpdateItem':
      case 'DeleteItem':
        this.#write(write.parse(asked), 1, done, attributes.parse(answered).Attributes);
        break;
      case 'TransactWriteItems':
        for (const { Put, Update, Delete, ConditionCheck } of transaction.parse(asked).TransactItems) {
          for (const change of [Put, Update, Delete]) if (change !== undefined) this.#write(change, 2, done);
          if (ConditionCheck !== undefined) this.#check(ConditionCheck);
        }
        break;
      case 'GetItem':
        this.#get(read.parse(asked), oneItem.parse(answered).Item);
        break;
      case 'Query':
        this.#query(read.parse(asked), items.parse(answered).Items);
        break;
      case 'BatchGetItem':
        this.#batchGet(batchRead.parse(asked));
        break;
      default:
        if (requestBody.includes(this.#metered.table)) this.#unknown = operation;
    }
  }

  #keyOf(item: WireItem): string {
    return this.#metered.keys.map((name) => JSON.stringify(item[name])).join();
  }

  /** @param factor 2 in a transaction */
  #write(change: Write, factor: 1 | 2, done: boolean, after?: WireItem): void {
    if (change.TableName !== this.#metered.table) return;
    const key = this.#keyOf(change.Item ?? change.Key ?? {});
    const before = this.#bytes.get(key) ?? 0;
    const bytes = Math.max(before, this.#bytesAfter(change, before, after));
    this.#writeUnits += kilobytes(bytes) * factor;
    if (!done) return;
    this.#writes += 1;
    this.#bytes.set(key, bytes);
    this.#writeIndexes(key, change, bytes);
  }

  #bytesAfter({ Item, Key, ExpressionAttributeValues }: Write, before: number, after: WireItem | undefined): number {
    const known = Item ?? after;
    if (known !== undefined) return itemBytes(known);
    return (before === 0 ? itemBytes(Key ?? {}) : before) + itemBytes(ExpressionAttributeValues);
  }

  #writeIndexes(key: string, { Item, ExpressionAttributeNames }: Write, bytes: number): void {
    const touched = [...Object.keys(Item ?? {}), ...Object.values(ExpressionAttributeNames)];
    const present = this.#indexed.get(key) ?? new Set();
    for (const { partitionKey, projection } of this.#metered.indexes) {
      const isNew = touched.includes(partitionKey) && !present.has(partitionKey);
      if (isNew) present.add(partitionKey);
      if (isNew || (projection === 'ALL' && present.has(partitionKey))) {
        this.#writeUnits += projection === 'ALL' ? kilobytes(bytes) : 1;
      }
    }
    if (present.size > 0) this.#indexed.set(key, present);
  }

  #check({ TableName, Key = {} }: Write): void {
    if (TableName === this.#metered.table) this.#writeUnits += kilobytes(this.#bytes.get(this.#keyOf(Key)) ?? 0) * 2;
  }

  #get({ TableName, ConsistentRead }: z.infer<typeof read>, item: WireItem | undefined): void {
    if (TableName === this.#metered.table) {
      this.#readUnits += readUnitsOf(item === undefined ? 0 : itemBytes(item), ConsistentRead);
    }
  }

  #query({ TableName, ConsistentRead }: z.infer<typeof read>, found: readonly WireItem[]): void {
    if (TableName !== this.#metered.table) return;
    const bytes = found.reduce((sum, item) => sum + itemBytes(item), 0);
    this.#readUnits += readUnitsOf(bytes, ConsistentRead);
  }

  #batchGet({ RequestItems }: z.infer<typeof batchRead>): void {
    const asked = RequestItems[this.#metered.table];
    for (const key of asked?.Keys ?? []) {
      this.#readUnits += readUnitsOf(this.#bytes.get(this.#keyOf(key)) ?? 0, asked?.ConsistentRead ?? false);
    }
  }
}
