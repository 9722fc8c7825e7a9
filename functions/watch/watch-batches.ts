import { beginWhenDue } from '../batches/begin-when-due.ts';
import { judgeLocks } from '../batches/conversion-locks.ts';
import { endExecution } from '../batches/end-execution.ts';
import type { StartExecutionDependencies } from '../batches/start-execution.ts';
import type { Batch } from '../domain/batch/batch.ts';
import {
  awaitsDecision,
  batchStatusIs,
  hasBegunDisbursing,
  isBatchEnd,
  pausedByOperator,
} from '../domain/batch/batch-status.ts';
import { isPausedForLong } from '../domain/batch/payable-until.ts';
import { overdueToSubmit } from '../domain/batch/progress.ts';
import { eachByItself } from '../domain/each-by-itself.ts';
import { compareFees } from '../domain/money/fees.ts';
import { inText } from '../domain/money/money-records.ts';
import type { FundsRecord } from '../ports/ledger/funds-ledger.ts';
import type { Needs } from '../ports/needs.ts';
import { executionName } from '../ports/workflow.ts';
import { bind, ledger, settings, workflow } from '../runtime.ts';

type WatchDependencies = StartExecutionDependencies &
  Needs<
    {
      ledger:
        | 'getBatch'
        | 'listOpenBatches'
        | 'listTimeline'
        | 'moveBatch'
        | 'amendBatch'
        | 'readProgress'
        | 'readFollow';
      workflow: 'stateOf';
      settings: 'resolveAfterSeconds' | 'fundsRecheckSeconds' | 'readyTooLongMinutes' | 'feeTolerancePercent';
    },
    'clock' | 'log'
  > &
  Needs<{
    ledger: 'listFundedCurrencies' | 'readFunds' | 'reserve' | 'listPairLocks' | 'breakPairLock' | 'listConversions';
  }>;

/** Seconds after which a run that counted an execution has started it, or is dead: longer than any function of the API runs. */
const startSeconds = 120;

const stopped = {
  code: 'execution_stopped',
  message:
    'The execution is over, and recorded no end: it was stopped or timed out, its history was full, or it never started. Resume to go on from the ledger, or cancel.',
};

/**
 * Looks for problems that nothing else would report to a person. README.md lists them and the reactions. A batch or part that
 * fails does not hold up the others, but the run then ends with an error.
 */
export const watchBatches = async (dependencies: WatchDependencies): Promise<void> => {
  const { ledger, log } = dependencies;
  const batches = eachByItself((batchId, error) => log.warn('watch.failed', { batchId, error }));
  const parts = eachByItself((part, error) => log.warn('watch.failed', { part, error }));
  for (const batchId of await ledger.listOpenBatches())
    await batches.attempt(batchId, () => watchBatch(dependencies, batchId));
  await parts.attempt('reservations', () => watchReservations(dependencies, batches));
  await parts.attempt('locks', () => watchLocks(dependencies));
  const failures = batches.failed.size + parts.failed.size;
  if (failures > 0) throw new Error(`${failures} batches or parts could not be watched`);
};

const watchBatch = async (dependencies: WatchDependencies, batchId: string): Promise<void> => {
  const { ledger, log } = dependencies;
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return;
  if (batchStatusIs(batch.status, 'awaitsStart')) return watchStart(dependencies, batch);
  if (await watchExecution(dependencies, batch)) return;
  if (waitsForPerson(dependencies, batch))
    log.alarm('BatchWaits', { batchId, status: batch.status, reason: batch.reason?.code ?? '' });
  if (awaitsDecision(batch)) log.alarm('BatchAwaitsApproval', { batchId });
  if (!batchStatusIs(batch.status, 'mayClaim')) return;
  await watchCounts(dependencies, batch);
  await watchSweeps(dependencies, batch);
};

/** A schedule starts a batch within a minute, and this watch one interval later at most. */
const startLateMs = 20 * 60_000;

/** Starts a batch whose time has come, in case its schedule did not. If it remains scheduled, only this alarm reports it. */
const watchStart = async (dependencies: WatchDependencies, batch: Batch): Promise<void> => {
  const { clock, log } = dependencies;
  const { batchId, startAt = batch.statusSince } = batch;
  if (!(await beginWhenDue(dependencies, batch, clock()))) return;
  log.info('watch.batch_begun', { batchId });
  if (clock() - Date.parse(startAt) > startLateMs) log.alarm('BatchStuck', { batchId, execution: 'scheduled' });
};

/** Longer than a sweep of a large batch takes, even after one failed attempt. A sweep that is later probably never comes. */
const sweepLateMs = 30 * 60_000;

/** Raises the alarm for a disbursing batch that is not followed: its payouts end, and nothing here shows it. */
const watchSweeps = async ({ ledger, clock, log }: WatchDependencies, batch: Batch): Promise<void> => {
  const { batchId, statusSince } = batch;
  const { nextSweepAt = statusSince } = await ledger.readFollow(batchId);
  // A sweep that was due before the batch was resumed could not come until then.
  const due = Math.max(Date.parse(nextSweepAt), Date.parse(statusSince));
  if (clock() - due > sweepLateMs) log.alarm('BatchNotFollowed', { batchId, due: new Date(due).toISOString() });
};

/** Maximum age in milliseconds of the counts to judge by. The problems looked for last minutes. */
const countsMs = 60_000;

/** Raises alarms for payouts that do not reach the provider although their batch may submit, and for fees far from the estimate. */
const watchCounts = async ({ ledger, settings, clock, log }: WatchDependencies, batch: Batch): Promise<void> => {
  const { batchId } = batch;
  const progress = await ledger.readProgress(batchId, { atMostMs: countsMs });
  const overdue = overdueToSubmit(batch, progress, clock(), settings);
  if (overdue !== undefined)
    log.alarm('PayoutsNotSubmitted', { batchId, payouts: overdue.count, since: overdue.since });
  for (const { currency, charged, estimated, isBeyond } of compareFees(batch, progress, settings).map(inText))
    if (isBeyond) log.alarm('FeesBeyondEstimate', { batchId, currency, charged, estimated });
};

/** Returns true when the batch had lost its execution, which is then recorded and raises the alarm. */
const watchExecution = async (dependencies: WatchDependencies, asked: Batch): Promise<boolean> => {
  const { ledger, workflow, log } = dependencies;
  const { batchId } = asked;
  if (!lacksEnd(asked)) return false;
  const state = await workflow.stateOf(executionName(batchId, asked.executions));
  if (state === 'running' || (state === 'absent' && (await mayBeStarting(dependencies, asked)))) return false;
  // The execution may have ended properly since the batch was read.
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined || !lacksEnd(batch) || batch.executions !== asked.executions) return false;
  await endExecution(ledger, batch, batch.executions, stopped);
  log.alarm('BatchStuck', { batchId, execution: state });
  return true;
};

/**
 * True for a batch that something other than an operator paused, for one that an operator paused long ago, and for one that has
 * awaited funds for longer than `fundsRecheckSeconds`. It pays nothing until a person acts, and nobody learns of it unless they
 * query its status. False once its cancellation is requested.
 */
const waitsForPerson = ({ settings, clock }: Pick<WatchDependencies, 'settings' | 'clock'>, batch: Batch): boolean => {
  const { status, statusSince, reason, cancelRequestedAt } = batch;
  if (cancelRequestedAt !== undefined) return false;
  if (batchStatusIs(status, 'isPaused')) return reason?.code !== pausedByOperator || isPausedForLong(batch, clock());
  return (
    batchStatusIs(status, 'awaitsFunds') && clock() - Date.parse(statusSince) > settings.fundsRecheckSeconds * 1000
  );
};

const lacksEnd = ({ status, executionEnded }: Batch): boolean => !isBatchEnd(status) && executionEnded !== true;

/** An execution is counted, with a line in the timeline, before it is started. */
const mayBeStarting = async ({ ledger, clock }: WatchDependencies, { batchId, createdAt }: Batch): Promise<boolean> => {
  const { items } = await ledger.listTimeline(batchId, { limit: 1, consistent: true });
  const last = items.at(-1)?.at ?? createdAt;
  return clock() - Date.parse(last) <= startSeconds * 1000;
};

const watchReservations = async (
  dependencies: WatchDependencies,
  { attempt }: ReturnType<typeof eachByItself>,
): Promise<void> => {
  const { ledger } = dependencies;
  for (const read of await ledger.readFunds(await ledger.listFundedCurrencies())) {
    // The first one given back changes what was read. The next run goes on.
    for (const { batchId } of read.reservations)
      if (await attempt(batchId, () => giveBackUnneeded(dependencies, batchId, read))) break;
  }
};

/** True for a batch that was paused before it disburses. Its execution would have given its money back, but is over. */
const isLeftPaused = (batch: Batch): boolean =>
  batchStatusIs(batch.status, 'isPaused') && batch.executionEnded === true && !hasBegunDisbursing(batch);

/** Gives back the money of a batch in one currency if the batch needs none. Returns true when it tried to. */
const giveBackUnneeded = async (
  { ledger, log }: WatchDependencies,
  batchId: string,
  read: FundsRecord,
): Promise<boolean> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined || !(isBatchEnd(batch.status) || isLeftPaused(batch))) return false;
  // Refused when the currency's reservations or the batch changed concurrently: the next run finds it again.
  const isGivenBack = await ledger.reserve(batchId, [read], new Map(), { since: batch.statusSince });
  log.warn('watch.reservation_released', { batchId, currency: read.currency, released: isGivenBack });
  return true;
};

const watchLocks = async ({ ledger, settings, clock, log }: WatchDependencies): Promise<void> => {
  for (const lock of await judgeLocks(ledger, clock(), settings)) {
    const ids = { holder: lock.holder, pair: `${lock.inputCurrency}~${lock.outputCurrency}` };
    if (lock.state === 'in_doubt') log.alarm('TreasuryLockStuck', ids);
    if (lock.state === 'idle') log.warn('watch.lock_released', { ...ids, released: await ledger.breakPairLock(lock) });
  }
};

export const handler = bind(watchBatches, { ledger, workflow, settings });
