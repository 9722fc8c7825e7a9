import type { Batch } from '../domain/batch.ts';
import type { BatchTransition } from '../domain/batch-lifecycle.ts';
import { batchTransitions, isBatchEnd } from '../domain/batch-lifecycle.ts';
import type { BatchLedger, PayoutLedger } from '../domain/ledger-port.ts';
import type { Workflow } from '../domain/workflow-port.ts';
import { ledger, log, workflow } from '../runtime.ts';
import { canResume, countOpen, isReported } from './control/allowed-actions.ts';
import { conflict } from './control/conflict.ts';
import { ensureExecution } from './control/ensure-execution.ts';
import { endpoint } from './endpoint.ts';
import type { Outcome } from './http/answer.ts';
import { answer } from './http/answer.ts';
import { problem } from './http/problem.ts';
import type { BatchSummary } from './schemas/batch.ts';
import type { RequestOf } from './schemas/operation.ts';
import * as operations from './schemas/operations.ts';
import { summarizeBatch } from './views/batch-summary.ts';

export interface ResumeBatchDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch' | 'moveBatch' | 'beginExecution'> & Pick<PayoutLedger, 'listChunks'>;
  readonly workflow: Workflow;
}

/** A batch that does not say where it was starts over: every step finds its place by what the ledger says. */
const wayBack = (batch: Batch): BatchTransition => {
  switch (batch.resumeTo) {
    case 'processing':
      return batchTransitions.resumeProcessing;
    case 'awaiting_funds':
      return batchTransitions.resumeAwaitingFunds;
    default:
      return batchTransitions.resumeValidating;
  }
};

const isPast = (batch: Batch): boolean => isBatchEnd(batch.status) || batch.cancelRequestedAt !== undefined;

const resumeUnended = async (
  { ledger, workflow }: ResumeBatchDependencies,
  batch: Batch,
  by: string,
): Promise<Outcome<BatchSummary>> => {
  if (isPast(batch)) return conflict(batch, 'resumed');
  const standing =
    batch.status === 'paused'
      ? (await ledger.moveBatch(batch.batchId, wayBack(batch), by, { resumeTo: null, reason: null })).batch
      : batch;
  // Somebody else may have canceled it, or it ended, since it was read.
  if (isPast(standing)) return conflict(standing, 'resumed');
  const resumed = await ensureExecution({ ledger, workflow }, standing, by);
  return answer(202, summarizeBatch(workflow, resumed));
};

/**
 * Lets a paused batch go on, gives a batch whose workflow died another one, and follows the open payouts of an ended
 * batch once more. Asked again, or of a batch that is under way, it answers the batch and changes nothing.
 */
export const resumeBatch = async (
  dependencies: ResumeBatchDependencies,
  { path: { batchId }, caller }: Pick<RequestOf<typeof operations.resumeBatch>, 'path' | 'caller'>,
): Promise<Outcome<BatchSummary>> => {
  const batch = await dependencies.ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  if (!isReported(batch)) return resumeUnended(dependencies, batch, caller);
  const openPayouts = countOpen(await dependencies.ledger.listChunks(batchId));
  if (!canResume(batch, openPayouts)) return conflict(batch, 'resumed');
  const resumed = await ensureExecution(dependencies, batch, caller);
  return answer(202, summarizeBatch(dependencies.workflow, resumed));
};

export const handler = endpoint(log, operations.resumeBatch, (request) =>
  resumeBatch({ ledger: ledger(), workflow: workflow() }, request),
);
