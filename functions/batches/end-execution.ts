import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, isBatchEnd } from '../domain/batch/batch-status.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

/**
 * True once this execution, the batch's last, has ended it. A step of it that is repeated has nothing left to do.
 *
 * @param execution its number, from 1
 */
export const hasEndedBatch = (
  { status, executions, executionEnded }: Pick<Batch, 'status' | 'executions' | 'executionEnded'>,
  execution: number,
): boolean => isBatchEnd(status) && executionEnded === true && executions === execution;

/** Only an operator's action moves the batch meanwhile. Nobody acts more often than this. */
const attempts = 5;

/**
 * Records that an execution is over although it has not ended its batch, and pauses the batch with a reason so that a person
 * sees it. A batch that has ended keeps its end: the execution was to report it again. One that is already paused keeps its own
 * reason, unless it is being canceled: then the failure that blocks the cancellation is the reason.
 *
 * Someone who resumes the batch at the same moment believes that the execution still runs. So the decision is repeated on the
 * batch's newest state until a write succeeds, at most `attempts` times. Once another execution has begun, nothing is written:
 * the batch is now that execution's. Returns the newest batch.
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
    if (current.executions !== execution || hasEndedBatch(current, execution)) return current;
    const { status } = current;
    const transition = { ...batchTransitions.recordFailure, from: [status] };
    const changes = { reason, resumeTo: status, endedExecution: execution };
    const answer =
      status === 'paused' || isBatchEnd(status)
        ? await ledger.amendBatch(batchId, [status], { endedExecution: execution, ...why })
        : await ledger.moveBatch(batchId, transition, 'system', changes, { detail: reason.code });
    if (answer.kind === 'moved') return answer.batch;
    current = answer.batch;
  }
  return current;
};
