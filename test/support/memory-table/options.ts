import type { Item } from './expressions.ts';

/** A global secondary index of the table. */
export interface MemoryIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** `KEYS_ONLY` contains the keys of the table and of the index, `ALL` everything. */
  readonly projection: 'KEYS_ONLY' | 'ALL';
}

/** One change of one item. `undefined` means that there is no item. */
export interface TableChange {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface MemoryTableOptions {
  readonly name?: string;
  readonly indexes?: readonly MemoryIndex[];
  /** Called with every written item before anyone can read it, and once with all items of a transaction. */
  readonly onWrite?: (changes: readonly TableChange[]) => void;
  /** True when an eventually consistent read misses the last change of an item. Never by default. */
  readonly isBehind?: () => boolean;
}
