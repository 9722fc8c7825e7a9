import type { Table } from '../../../functions/payment-service/store/table.ts';
import * as shared from '../memory-table/memory-table.ts';

/** The service's table in memory. */
export class MemoryTable {
  readonly #memory: shared.MemoryTable;
  readonly table: Table;

  constructor(name = 'memory') {
    this.#memory = new shared.MemoryTable({ name });
    this.table = this.#memory;
  }

  /** All items, as a scan returns them. */
  items(): readonly Readonly<Record<string, unknown>>[] {
    return this.#memory.items();
  }

  /** Deletes the items whose partition key has this prefix, and returns them. */
  take(prefix: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#memory.take(prefix);
  }
}
