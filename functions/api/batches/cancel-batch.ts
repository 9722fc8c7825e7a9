import { ensureExecution } from '../../batches/start-execution.ts';
import { isBatchEnd } from '../../domain/batch/batch-status.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, workflow } from '../../runtime.ts';
import { conflict } from '../control/conflict.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

/**
 * Stops all further claims of the batch. Its workflow then ends it as canceled; a dead workflow is replaced first. Idempotent.
 */
export const cancelBatch = async (
  dependencies: Needs<{ ledger: 'getBatch' | 'requestCancel' | 'beginExecution' }, 'workflow'>,
  { path: { batchId }, caller, body }: Pick<RequestOf<typeof operations.cancelBatch>, 'path' | 'caller' | 'body'>,
): Promise<OutcomeOf<typeof operations.cancelBatch>> => {
  const { ledger, workflow } = dependencies;
  const found = await ledger.getBatch(batchId);
  if (found === undefined) return problem('batch_not_found');
  const { batch } = isBatchEnd(found.status)
    ? { batch: found }
    : await ledger.requestCancel(batchId, caller, body.reason);
  if (batch.status === 'canceled') return answer(202, summarizeBatch(workflow, batch));
  if (isBatchEnd(batch.status) || batch.cancelRequestedAt === undefined) return conflict(batch, 'canceled');
  const canceling = await ensureExecution(dependencies, batch, caller);
  return answer(202, summarizeBatch(workflow, canceling));
};

export const handler = endpoint(log, operations.cancelBatch, bind(cancelBatch, { ledger, workflow }));
