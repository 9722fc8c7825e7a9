import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { readBatch } from '../../../functions/ledger/batches/batch-codec.ts';
import { keys } from '../../../functions/ledger/table/keys.ts';
import { ledgerTable } from '../../../functions/ledger/table/table.ts';
import { MemoryTable } from './memory-table.ts';
import type { MemoryTableOptions } from './options.ts';

/** The ledger's table in memory, with the indexes that the infra gives it. */
export const memoryLedgerTable = (options: Omit<MemoryTableOptions, 'indexes'> = {}): MemoryTable =>
  new MemoryTable({ ...options, indexes: Object.values(ledgerTable.indexes) });

/** A batch of the table. Throws when it is not there. */
export const storedBatch = (table: MemoryTable, batchId: string): Batch => {
  const item = table.item(keys.batch(batchId));
  if (item === undefined) throw new Error(`${batchId} is not in the ledger`);
  return readBatch(item);
};
