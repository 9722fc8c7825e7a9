import type { Batch } from '../domain/batch/batch.ts';
import type { Needs } from '../ports/needs.ts';

export type GetBatch = (batchId: string) => Promise<Batch | undefined>;

/** Reads each batch once. */
export const createBatchReader = ({ getBatch }: Needs<{ ledger: 'getBatch' }>['ledger']): GetBatch => {
  const batches = new Map<string, Promise<Batch | undefined>>();
  return (batchId) => {
    const asked = batches.get(batchId) ?? getBatch(batchId);
    batches.set(batchId, asked);
    return asked;
  };
};
