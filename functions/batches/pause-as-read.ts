import type { Batch } from '../domain/batch/batch.ts';
import type { BatchTransition } from '../domain/batch/batch-status.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

export interface Pausing {
  readonly transition: BatchTransition;
  readonly by: string;
  readonly reason: Reason;
  readonly detail?: string;
  readonly note?: string | undefined;
  /** Whether the batch, as it then stands, is still to be paused. */
  readonly isWanted: (batch: Batch) => boolean;
}

/** While it is being paused a batch goes from `validating` over `awaiting_funds` to `processing` at most, or ends. */
const attempts = 3;

/**
 * Pauses a batch from the very status that was read, since resuming goes back to it: another run may have begun to disburse
 * what still awaited funds. Decided again where it has moved on meanwhile. Answers how the batch then stands.
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
    current = (await ledger.moveBatch(batchId, { ...transition, from: [status] }, by, changes, detail, note)).batch;
  }
  return current;
};
