import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, isBatchEnd } from '../domain/batch/batch-status.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

/** A batch moves on meanwhile only when an operator acts on it: more often than this nobody does. */
const attempts = 5;

/**
 * Writes down that a batch's execution is over although the batch has not ended: it is paused with a reason, so that a
 * person sees it. One that is paused already keeps its own reason, unless it is being canceled: then what keeps it from its end
 * counts. Someone who resumes it at the same moment believes the
 * execution still runs: hence decided again from how the batch then stands, until one write holds. Once another execution
 * has begun nothing is written: it is that one's batch.
 *
 * @param execution its number, from 1
 */
export const endExecution = async (
  ledger: Pick<BatchLedger, 'moveBatch' | 'amendBatch'>,
  batch: Batch,
  execution: number,
  reason: Reason,
): Promise<Batch> => {
  const { batchId } = batch;
  let current = batch;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const why = current.status === 'paused' && current.cancelRequestedAt !== undefined ? { reason } : {};
    if (current.executions !== execution) return current;
    const answer =
      current.status === 'paused' || isBatchEnd(current.status)
        ? await ledger.amendBatch(batchId, [current.status], { endedExecution: execution, ...why })
        : await ledger.moveBatch(
            batchId,
            { ...batchTransitions.recordFailure, from: [current.status] },
            'system',
            { reason, resumeTo: current.status, endedExecution: execution },
            reason.code,
          );
    if (answer.kind === 'moved') return answer.batch;
    current = answer.batch;
  }
  return current;
};
