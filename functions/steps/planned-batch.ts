import type { Batch, PlanSummary } from '../domain/batch.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';

/** The batch, which must be there: an execution is started only for a batch that was written before. */
export const getExistingBatch = async (ledger: Pick<BatchLedger, 'getBatch'>, batchId: string): Promise<Batch> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) throw new InvariantBroken(`batch ${batchId} is not in the ledger`);
  return batch;
};

/** The batch's plan, which must be recorded: steps after PlanBatch run only when it is. */
export const planOf = (batch: Batch): PlanSummary => {
  if (batch.plan === undefined) throw new InvariantBroken(`batch ${batch.batchId} has no plan`);
  return batch.plan;
};
