import type * as z from 'zod';
import type { EndCanceledDependencies } from '../batches/end-canceled.ts';
import { endCanceled } from '../batches/end-canceled.ts';
import { batchStatusIs, batchTransitions } from '../domain/batch/batch-status.ts';
import { decideStart, msUntilStart } from '../domain/batch/start-time.ts';
import { nameOfError } from '../domain/errors.ts';
import type { Needs } from '../ports/needs.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, ledger, log, schedules, settings } from '../runtime.ts';
import { asStep, getExistingBatch, stateMachineInput } from './as-step.ts';

type AwaitStartDependencies = EndCanceledDependencies &
  Needs<{ ledger: 'getBatch' | 'scheduleBatch' }, 'schedules' | 'clock' | 'log'>;

interface AwaitStartOutput {
  readonly batchId: string;
  /**
   * `rest`: this execution ends, because a later one has begun, or starts at the batch's time. `wait`: the time has almost come,
   * or others kept moving the batch.
   */
  readonly next: 'estimate' | 'wait' | 'rest' | 'ended';
  readonly waitSeconds: number;
}

/** Concurrent runs, or a cancellation, may move the batch between read and write. Nobody does that more often than this. */
const attempts = 4;

/**
 * Schedules a planned batch until its start time. The same write counts the execution that will start then, so all callers
 * start the same one. Money is not looked at before: balances, limits and approval belong to the start time.
 */
export const awaitStart = async (
  dependencies: AwaitStartDependencies,
  { batchId, execution, stateMachine }: z.infer<typeof stateMachineInput>,
): Promise<AwaitStartOutput> => {
  const { ledger, schedules, clock, log } = dependencies;
  const own = executionNumber(batchId, execution);
  // The watch starts overdue batches some minutes later, so an outage of the scheduler blocks nothing.
  const logFailure = (error: unknown): void => log.warn('schedule.failed', { batchId, error: nameOfError(error) });
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const batch = await getExistingBatch(ledger, batchId);
    const { status, startAt } = batch;
    const nowMs = clock();
    switch (decideStart(batch, own, nowMs)) {
      case 'go_on':
        return { batchId, next: 'estimate', waitSeconds: 0 };
      case 'wait':
        return { batchId, next: 'wait', waitSeconds: Math.ceil(msUntilStart(batch, nowMs) / 1000) };
      case 'rest':
        if (startAt !== undefined && batchStatusIs(status, 'awaitsStart'))
          await schedules.wakeAt(batchId, Date.parse(startAt), stateMachine).catch(logFailure);
        return { batchId, next: 'rest', waitSeconds: 0 };
      case 'cancel':
        await endCanceled(dependencies, batch);
        await schedules.forget(batchId).catch(logFailure);
        return { batchId, next: 'ended', waitSeconds: 0 };
      case 'begin':
        await ledger.moveBatch(batchId, batchTransitions.beginScheduled, 'system', { leavingSince: batch.statusSince });
        break;
      case 'schedule':
        await ledger.scheduleBatch(batch);
        break;
    }
  }
  return { batchId, next: 'wait', waitSeconds: 1 };
};

export const handler = asStep('AwaitStart', stateMachineInput, log, bind(awaitStart, { ledger, schedules, settings }));
