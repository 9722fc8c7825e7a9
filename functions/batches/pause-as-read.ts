import type { Batch } from '../domain/batch/batch.ts';
import type { BatchTransition } from '../domain/batch/batch-status.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

interface Pausing {
  readonly transition: BatchTransition;
  readonly by: string;
  readonly reason: Reason;
  readonly detail?: string;
  readonly note?: string | undefined;
  /** Returns true while this state of the batch still has to be paused. */
  readonly isWanted: (batch: Batch) => boolean;
}

/** A batch rarely moves more than twice between read and write. After the last attempt the caller gets its latest state. */
const attempts = 3;

/**
 * Pauses a batch from exactly the status that was read, because resuming returns to that status. A concurrent run may have
 * begun to disburse a batch that still awaited funds. If the batch has moved on, decides again. Returns the latest batch.
 */
export const pauseAsRead = async (
  ledger: Pick<BatchLedger, 'moveBatch'>,
  batch: Batch,
  { transition, by, reason, detail, note, isWanted }: Pausing,
): Promise<Batch> => {
  let current = batch;
  for (let attempt = 1; attempt <= attempts && isWanted(current); attempt += 1) {
    const { batchId, status } = current;
    const changes = { resumeTo: status, reason };
    current = (await ledger.moveBatch(batchId, { ...transition, from: [status] }, by, changes, { detail, note })).batch;
  }
  return current;
};
