import type { Batch } from '../domain/batch/batch.ts';
import { batchStatusIs } from '../domain/batch/batch-status.ts';
import { isStartDue } from '../domain/batch/start-time.ts';
import type { StartExecutionDependencies } from './start-execution.ts';
import { ensureExecution } from './start-execution.ts';

/**
 * Starts the execution of a batch that rests until its time, once that has come, or the batch is to be canceled. The execution
 * was counted when the batch was laid to rest: however many ask for it, and however late, it begins once. AwaitStart looks again
 * whether it is time.
 *
 * @returns whether it was time
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
