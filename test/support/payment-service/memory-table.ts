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

  /** All items, as a scan shows them. */
  items(): readonly Readonly<Record<string, unknown>>[] {
    return this.#memory.items();
  }

  /** Forgets the items whose partition begins so, and hands them over. */
  take(prefix: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#memory.take(prefix);
  }
}
