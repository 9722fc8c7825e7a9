import type { Batch } from '../domain/batch/batch.ts';
import { batchStatusIs } from '../domain/batch/batch-status.ts';
import { isStartDue } from '../domain/batch/start-time.ts';
import type { StartExecutionDependencies } from './start-execution.ts';
import { ensureExecution } from './start-execution.ts';

/**
 * Starts the execution of a scheduled batch once its time has come, or the batch is to be canceled. That execution was counted
 * when the batch was scheduled, so any number of callers, however late, start it once. AwaitStart checks the time again.
 *
 * @returns true when the execution was due
 */
export const beginWhenDue = async (
  dependencies: StartExecutionDependencies,
  batch: Batch,
  nowMs: number,
): Promise<boolean> => {
  if (!batchStatusIs(batch.status, 'awaitsStart')) return false;
  if (batch.cancelRequestedAt === undefined && !isStartDue(batch, nowMs)) return false;
  await ensureExecution(dependencies, batch, 'system');
  return true;
};
