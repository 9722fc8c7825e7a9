import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Item } from '../../support/memory-table/expressions.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { MemoryIndex } from '../../support/memory-table/options.ts';
import type { TableUse } from '../metering/table-meter.ts';

const itemKey = z.object({ pk: z.string(), sk: z.string() });
type Key = z.infer<typeof itemKey>;

const containerBytes = 3;

const valueBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // Two digits per byte, plus one. Precise enough, because all numbers here are counts.
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value) || value instanceof Set)
    return [...value].reduce<number>((sum, one) => sum + 1 + valueBytes(one), containerBytes);
  return documentBytes({ ...value }) + Object.keys(value).length + containerBytes;
};

/** Bytes of an item as DynamoDB counts them: names and values. See item-size.ts for the wire format. */
export const documentBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

const kilobytes = (item: Item | undefined): number =>
  Math.max(1, Math.ceil((item === undefined ? 0 : documentBytes(item)) / 1024));
const readUnits = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent === true ? 1 : 0.5);

/** One item of a write request. */
interface Touched {
  readonly key: Key;
  readonly isCheck: boolean;
  readonly before: Item | undefined;
}

/**
 * Counts the use of a table in memory by commands of the document client. It sees each item before and after, so nothing has
 * to be estimated as with the wire format.
 */
export class DocumentMeter {
  readonly #table: MemoryTable;
  readonly #indexes: readonly Omit<MemoryIndex, 'name'>[];
  #writes = 0;
  #writeUnits = 0;
  #readUnits = 0;

  constructor(table: MemoryTable, indexes: readonly Omit<MemoryIndex, 'name'>[]) {
    this.#table = table;
    this.#indexes = indexes;
  }

  get use(): TableUse {
    return { writes: this.#writes, writeUnits: this.#writeUnits, readUnits: this.#readUnits };
  }

  /** Passes a command to the table, and counts. */
  answer(command: unknown): unknown {
    if (command instanceof TransactWriteCommand) {
      const touched = (command.input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) =>
        this.#touch(Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key, ConditionCheck !== undefined),
      );
      return this.#written(command, touched, 2);
    }
    if (command instanceof PutCommand) return this.#written(command, [this.#touch(command.input.Item)], 1);
    if (command instanceof UpdateCommand || command instanceof DeleteCommand)
      return this.#written(command, [this.#touch(command.input.Key)], 1);
    const answer = this.#table.answer(command);
    this.#read(command, answer);
    return answer;
  }

  #touch(given: unknown, isCheck = false): Touched {
    const key = itemKey.parse(given);
    return { key, isCheck, before: this.#table.item(key) };
  }

  /** @param factor 2 in a transaction */
  #written(command: unknown, touched: readonly Touched[], factor: 1 | 2): unknown {
    try {
      const answer = this.#table.answer(command);
      for (const one of touched) this.#count(one, this.#table.item(one.key), factor);
      return answer;
    } catch (error) {
      // A refused write costs as much as the existing item.
      for (const { before } of touched) this.#writeUnits += kilobytes(before) * factor;
      throw error;
    }
  }

  #count({ isCheck, before }: Touched, after: Item | undefined, factor: 1 | 2): void {
    this.#writeUnits += Math.max(kilobytes(before), kilobytes(after)) * factor;
    if (isCheck) return;
    this.#writes += 1;
    for (const index of this.#indexes) this.#writeUnits += indexUnits(index, before, after);
  }

  #read(command: unknown, answer: unknown): void {
    if (command instanceof GetCommand) {
      const item = this.#table.item(itemKey.parse(command.input.Key));
      this.#readUnits += readUnits(item === undefined ? 0 : documentBytes(item), command.input.ConsistentRead);
    } else if (command instanceof QueryCommand) {
      const { Items } = z.object({ Items: z.array(z.record(z.string(), z.unknown())) }).parse(answer);
      const bytes = Items.reduce((sum, item) => sum + documentBytes(item), 0);
      this.#readUnits += readUnits(bytes, command.input.ConsistentRead);
    } else if (command instanceof BatchGetCommand) {
      for (const { Keys = [], ConsistentRead } of Object.values(command.input.RequestItems ?? {}))
        for (const key of Keys) {
          const item = this.#table.item(itemKey.parse(key));
          this.#readUnits += readUnits(item === undefined ? 0 : documentBytes(item), ConsistentRead);
        }
    } else throw new Error('unknown cost of a command');
  }
}

const indexUnits = (
  { partitionKey, projection }: Omit<MemoryIndex, 'name'>,
  before: Item | undefined,
  after: Item | undefined,
): number => {
  const [was, is] = [before?.[partitionKey], after?.[partitionKey]];
  if (was === undefined && is === undefined) return 0;
  const units = (item: Item | undefined): number => (projection === 'ALL' ? kilobytes(item) : 1);
  if (was === is) return projection === 'ALL' ? Math.max(units(before), units(after)) : 0;
  return (was === undefined ? 0 : units(before)) + (is === undefined ? 0 : units(after));
};
