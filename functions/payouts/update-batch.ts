import { isBatchEnd } from '../domain/batch/batch-status.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { newReportDue } from '../domain/payout/reconciliation.ts';
import type { Needs } from '../ports/needs.ts';

export type UpdateBatchDependencies = Needs<
  { ledger: 'refreshChunk' | 'getBatch' | 'addReconciliation'; settings: 'reconcileAfterDays' },
  'clock'
>;

/**
 * Brings a changed payout's batch up to date: the counts of its chunk and, when the batch has ended, a new report. Nobody follows an
 * ended batch, and its comparisons may be over. ENDED-BATCHES.md in watch/ says what comes of this.
 */
export const updateBatchOf = async (
  { ledger, settings, clock }: UpdateBatchDependencies,
  { batchId, chunk }: Pick<Payout, 'batchId' | 'chunk'>,
): Promise<void> => {
  await ledger.refreshChunk(batchId, chunk);
  const batch = await ledger.getBatch(batchId);
  if (batch !== undefined && isBatchEnd(batch.status))
    await ledger.addReconciliation(newReportDue(batch, clock(), settings));
};
