import type { Batch } from '../domain/batch.ts';
import { isBatchEnd, pausedByOperator } from '../domain/batch-lifecycle.ts';
import { judgeLocks } from '../domain/conversion-lock.ts';
import { endExecution } from '../domain/end-execution.ts';
import { currenciesOf, recentBatches } from '../domain/recent-batches.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Clock, Log } from '../ports/environment.ts';
import type { FundsLedger } from '../ports/funds-ledger.ts';
import type { Workflow } from '../ports/workflow.ts';
import { executionName } from '../ports/workflow.ts';
import { clock, ledger, log, settings, workflow } from '../runtime.ts';

export interface WatchDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch' | 'listBatches' | 'listEvents' | 'moveBatch' | 'amendBatch'> &
    Pick<FundsLedger, 'readFunds' | 'reserve' | 'listPairLocks' | 'breakPairLock' | 'listConversions'>;
  readonly workflow: Pick<Workflow, 'stateOf'>;
  readonly settings: Pick<OrchestratorSettings, 'resolveAfterSeconds' | 'conversionSources' | 'fundsRecheckSeconds'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Seconds in which whoever counted an execution has started it, or is gone: longer than any function of the API runs. */
const startSeconds = 120;

const stopped = {
  code: 'execution_stopped',
  message:
    'The execution is over without having said so: it was stopped, or ran out. Resume to go on from the ledger, or cancel.',
};

/** Looks for what nobody else would tell a person. README.md says what for, and what is done about it. */
export const watchBatches = async (dependencies: WatchDependencies): Promise<void> => {
  const { ledger, settings, clock } = dependencies;
  const currencies = new Set<string>();
  for await (const batch of recentBatches(ledger, clock)) {
    for (const currency of currenciesOf(batch, settings)) currencies.add(currency);
    if (!isBatchEnd(batch.status)) await watchBatch(dependencies, batch.batchId);
  }
  await watchReservations(dependencies, [...currencies]);
  await watchLocks(dependencies);
};

const watchBatch = async (dependencies: WatchDependencies, batchId: string): Promise<void> => {
  const batch = await dependencies.ledger.getBatch(batchId);
  if (batch === undefined || (await watchExecution(dependencies, batch)) || !waitsForPerson(dependencies, batch))
    return;
  dependencies.log.alarm('BatchWaits', { batchId, status: batch.status, reason: batch.reason?.code ?? '' });
};

/** Whether the batch had lost its execution, which was then told. */
const watchExecution = async (dependencies: WatchDependencies, asked: Batch): Promise<boolean> => {
  const { ledger, workflow, log } = dependencies;
  const { batchId } = asked;
  if (!lacksEnd(asked)) return false;
  const state = await workflow.stateOf(executionName(batchId, asked.executions));
  if (state === 'running' || (state === 'absent' && (await mayBeStarting(dependencies, asked)))) return false;
  // The execution may have ended well since the batch was read.
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined || !lacksEnd(batch) || batch.executions !== asked.executions) return false;
  await endExecution(ledger, batch, batch.executions, stopped);
  log.alarm('BatchStuck', { batchId, execution: state });
  return true;
};

/**
 * A batch that was paused by something else than an operator, or that did not find its funds when it looked again: it pays
 * nothing until a person acts, and its status says so to nobody who does not ask.
 */
const waitsForPerson = (
  { settings, clock }: Pick<WatchDependencies, 'settings' | 'clock'>,
  { status, statusSince, reason, cancelRequestedAt }: Batch,
): boolean => {
  if (cancelRequestedAt !== undefined) return false;
  if (status === 'paused') return reason?.code !== pausedByOperator;
  return status === 'awaiting_funds' && clock() - Date.parse(statusSince) > settings.fundsRecheckSeconds * 1000;
};

const lacksEnd = ({ status, executionEnded }: Batch): boolean => !isBatchEnd(status) && executionEnded !== true;

/** An execution is counted, with a line in the timeline, before it is started. */
const mayBeStarting = async ({ ledger, clock }: WatchDependencies, { batchId, createdAt }: Batch): Promise<boolean> => {
  const last = (await ledger.listEvents(batchId)).at(-1)?.at ?? createdAt;
  return clock() - Date.parse(last) <= startSeconds * 1000;
};

const watchReservations = async (dependencies: WatchDependencies, currencies: readonly string[]): Promise<void> => {
  const { ledger, log } = dependencies;
  for (const read of await ledger.readFunds(currencies)) {
    for (const { batchId } of read.reservations) {
      const batch = await ledger.getBatch(batchId);
      if (batch === undefined || !isBatchEnd(batch.status)) continue;
      // Refused when the currency's reservations changed meanwhile: the next look finds it again.
      const released = await ledger.reserve(batchId, [read], new Map());
      log.warn('watch.reservation_released', { batchId, currency: read.currency, released });
      break;
    }
  }
};

const watchLocks = async ({ ledger, settings, clock, log }: WatchDependencies): Promise<void> => {
  for (const lock of await judgeLocks(ledger, clock(), settings)) {
    const ids = { holder: lock.holder, pair: `${lock.inputCurrency}~${lock.outputCurrency}` };
    if (lock.state === 'in_doubt') log.alarm('TreasuryLockStuck', ids);
    if (lock.state === 'idle') log.warn('watch.lock_released', { ...ids, released: await ledger.breakPairLock(lock) });
  }
};

export const handler = (): Promise<void> =>
  watchBatches({ ledger: ledger(), workflow: workflow(), settings: settings(), clock, log });
