import type { Batch } from '../domain/batch.ts';
import { readBatch } from './batch-codec.ts';
import type { BatchCursor } from './cursors.ts';
import { createIndexQuery } from './index-query.ts';
import { createdAtAndId, dayOf } from './keys.ts';
import type { LedgerDependencies } from './store.ts';
import { ledgerTable } from './table.ts';

const dayMs = 86_400_000;

export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);

/** Where the batches older than this one begin. */
export const cursorBefore = ({ createdAt, batchId }: Batch): BatchCursor => ({
  day: dayOf(createdAt),
  before: createdAtAndId(createdAt, batchId),
});

/** Batches of so many days back, newest first. Days without any cost a query each, so a caller bounds them. */
export const createBatchesByDay = (dependencies: LedgerDependencies) => {
  const indexed = createIndexQuery(dependencies);
  const { name: index, partitionKey, sortKey } = ledgerTable.indexes.batchesByDay;
  return async function* (from: BatchCursor, days: number): AsyncGenerator<Batch> {
    for (let back = 0; back < days; back += 1) {
      const partition = { name: partitionKey, value: daysBefore(from.day, back) };
      const before = back === 0 && from.before !== undefined ? { before: { name: sortKey, value: from.before } } : {};
      for await (const item of indexed({ index, partition, ...before, newestFirst: true })) yield readBatch(item);
    }
  };
};
