import type { Batch } from '../domain/batch/batch.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';
import type { Workflow } from '../ports/workflow.ts';
import { executionName } from '../ports/workflow.ts';

export interface StartExecutionDependencies {
  readonly ledger: Pick<BatchLedger, 'beginExecution'>;
  readonly workflow: Pick<Workflow, 'start'>;
}

/** Starts the batch's latest execution, in case whoever counted it did not live to start it. Starting twice is one. */
export const startLatest = async (
  { workflow }: Pick<StartExecutionDependencies, 'workflow'>,
  batch: Batch,
): ReturnType<Workflow['start']> =>
  workflow.start(executionName(batch.batchId, batch.executions), { batchId: batch.batchId });

/**
 * Counts and starts one more execution after the batch's n-th, which is over. Of two callers at once, or one after the
 * other with an old view of the batch, one is refused by the ledger's count; both then start the same name, so one
 * execution comes of it. Returns the batch as it then stands.
 */
export const startAnother = async (
  dependencies: StartExecutionDependencies,
  batch: Batch,
  by: string,
  why?: string,
): Promise<Batch> => {
  const { batch: counted } = await dependencies.ledger.beginExecution(batch.batchId, batch.executions, by, why);
  await startLatest(dependencies, counted);
  return counted;
};

/**
 * Sees to it that a batch has a workflow: another one when the last has died. One that could not say so itself (stopped
 * in the console, or out of history) is found by asking Step Functions.
 */
export const ensureExecution = async (
  dependencies: StartExecutionDependencies,
  batch: Batch,
  by: string,
  why?: string,
): Promise<Batch> => {
  const isOver = batch.executionEnded === true || (await startLatest(dependencies, batch)) === 'over';
  return isOver ? startAnother(dependencies, batch, by, why) : batch;
};
