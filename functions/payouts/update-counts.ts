import { isBatchEnd } from '../domain/batch/batch-status.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { newReportDue } from '../domain/payout/reconciliation.ts';
import type { Needs } from '../ports/needs.ts';

export type UpdateCountsDependencies = Needs<
  { ledger: 'refreshChunk' | 'getBatch' | 'addReconciliation'; settings: 'reconcileAfterDays' },
  'clock'
>;

/**
 * Updates the counts of a changed payout's chunk. Makes a new report due when its batch has ended: nobody follows it any more, and its
 * comparisons may be over. ENDED-BATCHES.md in watch/ says what comes of this.
 */
export const updateCounts = async (
  { ledger, settings, clock }: UpdateCountsDependencies,
  { batchId, chunk }: Pick<Payout, 'batchId' | 'chunk'>,
): Promise<void> => {
  await ledger.refreshChunk(batchId, chunk);
  const batch = await ledger.getBatch(batchId);
  if (batch !== undefined && isBatchEnd(batch.status))
    await ledger.addReconciliation(newReportDue(batch, clock(), settings));
};
