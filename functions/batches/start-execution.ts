import type { Batch } from '../domain/batch/batch.ts';
import type { Needs } from '../ports/needs.ts';
import type { Workflow } from '../ports/workflow.ts';
import { executionName } from '../ports/workflow.ts';

export type StartExecutionDependencies = Needs<{ ledger: 'beginExecution'; workflow: 'start' }>;

/** Starts the batch's latest execution, in case the caller that counted it died before starting it. Idempotent. */
export const startLatest = async (
  { workflow }: Pick<StartExecutionDependencies, 'workflow'>,
  batch: Batch,
): ReturnType<Workflow['start']> =>
  workflow.start(executionName(batch.batchId, batch.executions), { batchId: batch.batchId });

/**
 * Counts and starts one more execution after the batch's latest one, which is over. When two callers do this, concurrently or
 * with an old view of the batch, the ledger's count refuses one. Both then start the same name, so only one execution runs.
 * Returns the updated batch.
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
 * Makes sure that a batch has an execution, and starts another one if the last has died. Asks Step Functions too, because an
 * execution that was stopped in the console, or ran out of history, could not record its end.
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
