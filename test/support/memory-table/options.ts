import type { Item } from './expressions.ts';

/** A global secondary index of the table. */
export interface MemoryIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** `KEYS_ONLY` shows the keys of the table and of the index, `ALL` everything. */
  readonly projection: 'KEYS_ONLY' | 'ALL';
}

/** One change of one item: `undefined` is no item. */
export interface TableChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface MemoryTableOptions {
  readonly name?: string;
  readonly indexes?: readonly MemoryIndex[];
  /** Told of every item that was written, all of a transaction together, before anybody else can read it. */
  readonly onWrite?: (changes: readonly TableChange[]) => void;
  /** Says whether an eventually consistent read misses the last change of an item; never, unless given. */
  readonly isBehind?: () => boolean;
}
