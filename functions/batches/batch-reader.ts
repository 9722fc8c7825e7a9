import type { Batch } from '../domain/batch/batch.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

/** Reads each batch once. */
export const createBatchReader = ({ getBatch }: Pick<BatchLedger, 'getBatch'>): BatchLedger['getBatch'] => {
  const batches = new Map<string, Promise<Batch | undefined>>();
  return (batchId) => {
    const asked = batches.get(batchId) ?? getBatch(batchId);
    batches.set(batchId, asked);
    return asked;
  };
};
