import * as z from 'zod';
import type { EndCanceledDependencies } from '../batches/end-canceled.ts';
import { endCanceled } from '../batches/end-canceled.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { batchStatusIs, batchTransitions } from '../domain/batch/batch-status.ts';
import { isStartDue, msUntilStart } from '../domain/batch/start-time.ts';
import type { Schedules } from '../ports/schedules.ts';
import { executionNumber } from '../ports/workflow.ts';
import { clock, ledger, log, schedules, settings } from '../runtime.ts';
import type { Needs } from './step.ts';
import { asStep, executionInput, getExistingBatch } from './step.ts';

export const awaitStartInput = executionInput.extend({
  /** ARN of the state machine, as the execution knows it. */
  stateMachine: z.string().min(1),
});
type AwaitStartInput = z.infer<typeof awaitStartInput>;

export type AwaitStartDependencies = EndCanceledDependencies &
  Needs<{ ledger: 'getBatch' | 'scheduleBatch' }, 'clock' | 'log'> & { readonly schedules: Schedules };

export interface AwaitStartOutput {
  readonly batchId: string;
  /** `rest`: this execution is over, and another begins at the time. `wait`: it is nearly time. */
  readonly next: 'estimate' | 'wait' | 'rest' | 'ended';
  readonly waitSeconds: number;
}

/** Others move the batch between reading and writing when they cancel it, or run beside: more often than this nobody does. */
const attempts = 4;

/**
 * Lets a planned batch rest until its time. The execution that begins then is counted in the write that lays it to rest, so
 * whoever starts it starts the same one. No money is looked at before: balances, limits and approval are of that time.
 */
export const awaitStart = async (
  dependencies: AwaitStartDependencies,
  input: AwaitStartInput,
): Promise<AwaitStartOutput> => {
  const { ledger, clock } = dependencies;
  const { batchId } = input;
  const own = executionNumber(batchId, input.execution);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const batch = await getExistingBatch(ledger, batchId);
    const isScheduled = batchStatusIs(batch.status, 'awaitsStart');
    const done = whatIsPast(batch, own);
    if (done !== undefined) return done;
    if (batch.cancelRequestedAt !== undefined) return cancel(dependencies, batch);
    // A late run of an execution before must not go on beside the one that begins at the time.
    if (isScheduled && own < batch.executions) return rest(dependencies, batch, input);
    const leftMs = msUntilStart(batch, clock());
    if (leftMs === 0 && !isScheduled) return goOn(batchId);
    if (leftMs === 0) await begin(dependencies, batch);
    else if (!isScheduled) await ledger.scheduleBatch(batch);
    else if (!isStartDue(batch, clock())) return rest(dependencies, batch, input);
    else return { batchId, next: 'wait', waitSeconds: Math.ceil(leftMs / 1000) };
  }
  return { batchId, next: 'wait', waitSeconds: 1 };
};

/** What an execution does that comes when the batch waits no more: undefined where it may still have to wait. */
const whatIsPast = ({ batchId, status, executions }: Batch, own: number): AwaitStartOutput | undefined => {
  if (batchStatusIs(status, 'awaitsStart')) return undefined;
  // One that came after has begun: a late run must not go on beside it.
  if (own < executions) return { batchId, next: 'rest', waitSeconds: 0 };
  return status === 'validating' ? undefined : goOn(batchId);
};

const goOn = (batchId: string): AwaitStartOutput => ({ batchId, next: 'estimate', waitSeconds: 0 });

const begin = async (
  { ledger }: AwaitStartDependencies,
  { batchId, statusSince: leavingSince }: Batch,
): Promise<void> => {
  await ledger.moveBatch(batchId, batchTransitions.beginScheduled, 'system', { leavingSince });
};

const cancel = async (dependencies: AwaitStartDependencies, batch: Batch): Promise<AwaitStartOutput> => {
  const { batchId } = batch;
  await endCanceled(dependencies, batch);
  await helpfully(dependencies, batchId, () => dependencies.schedules.forget(batchId));
  return { batchId, next: 'ended', waitSeconds: 0 };
};

const rest = async (
  dependencies: AwaitStartDependencies,
  { batchId, startAt = '' }: Batch,
  { stateMachine }: AwaitStartInput,
): Promise<AwaitStartOutput> => {
  await helpfully(dependencies, batchId, () =>
    dependencies.schedules.wakeAt(batchId, Date.parse(startAt), stateMachine),
  );
  return { batchId, next: 'rest', waitSeconds: 0 };
};

/** The watch starts what no schedule did, some minutes later: an outage of the scheduler stops nobody. */
const helpfully = async (
  { log }: AwaitStartDependencies,
  batchId: string,
  help: () => Promise<void>,
): Promise<void> => {
  try {
    await help();
  } catch (error) {
    log.warn('schedule.failed', { batchId, error: error instanceof Error ? error.name : 'unknown' });
  }
};

export const handler = asStep('AwaitStart', awaitStartInput, log, (input) =>
  awaitStart({ ledger: ledger(), schedules: schedules(), settings: settings(), clock, log }, input),
);
