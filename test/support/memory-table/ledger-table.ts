import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import { MemoryTable } from './memory-table.ts';
import type { MemoryTableOptions } from './options.ts';

/** The ledger's table in memory, with the indexes that the infra gives it. */
export const memoryLedgerTable = (options: Omit<MemoryTableOptions, 'indexes'> = {}): MemoryTable =>
  new MemoryTable({ ...options, indexes: Object.values(ledgerTable.indexes) });
