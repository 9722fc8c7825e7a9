import type { Batch } from '../../domain/batch/batch.ts';
import { inOrder } from '../../domain/in-parallel.ts';
import type { BatchLedger } from '../../ports/ledger/batch-ledger.ts';

const concurrentReads = 10;

/** The batches that exist, in the order of `batchIds`. */
export const readBatches = async (
  ledger: Pick<BatchLedger, 'getBatch'>,
  batchIds: Iterable<string>,
): Promise<readonly Batch[]> => {
  const found = await Array.fromAsync(inOrder(batchIds, concurrentReads, (batchId) => ledger.getBatch(batchId)));
  return found.filter((batch) => batch !== undefined);
};
