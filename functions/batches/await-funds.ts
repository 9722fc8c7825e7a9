import type { Batch } from '../domain/batch/batch.ts';
import type { BatchTransition } from '../domain/batch/batch-status.ts';
import { batchTransitions, isBeingFunded } from '../domain/batch/batch-status.ts';
import { hourMs } from '../domain/durations.ts';
import { ProviderMisconfigured, ProviderUnavailable } from '../domain/errors.ts';
import { plural } from '../domain/money/format-money.ts';
import { coversShortfalls } from '../domain/money/funding.ts';
import type { Reason } from '../domain/payout/payout.ts';
import { isoNow } from '../ports/environment.ts';
import type { Needs } from '../ports/needs.ts';

type AwaitFundsDependencies = Needs<
  { ledger: 'moveBatch' | 'amendBatch'; settings: 'fundsRecheckSeconds' | 'fundsWaitHours' },
  'clock'
>;

export interface Waiting {
  readonly batchId: string;
  readonly next: 'wait';
  readonly waitSeconds: number;
}

const providerUnavailable = 'provider_unavailable';

/** Reasons that pass without a person. They are no news. */
export const passingReasons: ReadonlySet<string> = new Set([
  providerUnavailable,
  ...['balance_unclear', 'conversion_not_sent', 'rate_moved'],
]);

/**
 * Whether a person has to act, and people were told of an outage only, or of nothing since a resume. A shortage of the last plan
 * was told before.
 */
const isUntold = ({ status, reason, funding }: Batch, { code }: Reason): boolean =>
  status === 'awaiting_funds' &&
  (reason === undefined || reason.code === providerUnavailable) &&
  !passingReasons.has(code) &&
  (funding === undefined || coversShortfalls(funding));

/**
 * Puts a batch into `awaiting_funds`, with a reason for people to read. Pauses it after `fundsWaitHours`, so that an unfunded
 * batch does not wait forever.
 *
 * @param found the plan that led to the wait. It is kept in the same write, since it also tells whether people know
 */
export const awaitFunds = async (
  { ledger, settings, clock }: AwaitFundsDependencies,
  batch: Batch,
  reason: Reason,
  found: Pick<Batch, 'funding'> = {},
): Promise<Waiting> => {
  const { batchId, statusSince: leavingSince } = batch;
  const awaitingFundsSince = batch.awaitingFundsSince ?? isoNow(clock);
  const isOverdue = clock() - Date.parse(awaitingFundsSince) > settings.fundsWaitHours * hourMs;
  if (isOverdue) {
    const overdue = {
      code: 'funds_overdue',
      message: `${reason.message} Waited for ${settings.fundsWaitHours} ${plural(settings.fundsWaitHours, 'hour')}.`,
    };
    // Resuming returns to `awaiting_funds`, so the batch must still be there: a concurrent run may have begun to disburse it.
    const transition: BatchTransition = { ...batchTransitions.pause, from: ['awaiting_funds'] };
    const pausing = { reason: overdue, resumeTo: 'awaiting_funds', awaitingFundsSince: null, leavingSince } as const;
    await ledger.moveBatch(batchId, transition, 'system', { ...pausing, ...found }, { detail: overdue.code });
  } else if (batch.status === 'awaiting_funds' && !isUntold(batch, reason)) {
    await ledger.amendBatch(batchId, ['awaiting_funds'], { reason, awaitingFundsSince, ...found });
  } else {
    const isWaiting = batch.status === 'awaiting_funds';
    const transition = isWaiting ? batchTransitions.awaitFundsInstead : batchTransitions.awaitFunds;
    const changes = { reason, awaitingFundsSince, leavingSince, ...found };
    await ledger.moveBatch(batchId, transition, 'system', changes, { detail: reason.code });
  }
  return { batchId, next: 'wait', waitSeconds: settings.fundsRecheckSeconds };
};

/**
 * Catches an outage of the provider, so that the batch can wait for its end (`awaitProvider`). Rethrows anything else: a wrong
 * setting lasts until a person corrects it. It also rethrows when the batch cannot wait: a person waits for a preview, and a batch
 * that disburses has to follow its payouts.
 */
export const outageOf =
  (batch: Pick<Batch, 'mode' | 'status' | 'resumeTo' | 'cancelRequestedAt'>) =>
  (error: unknown): ProviderUnavailable => {
    const canWait = batch.mode !== 'preview' && isBeingFunded(batch);
    if (canWait && error instanceof ProviderUnavailable && !(error instanceof ProviderMisconfigured)) return error;
    throw error;
  };

/** Seconds between the first retries when the provider did not answer. Most outages are short. */
const soonSeconds = 15;

/** Waits of an execution before people are told, and the batch's status changes. They take 75 seconds, if all are for the provider. */
const quietWaits = 5;

/**
 * Waits for a provider that did not answer a read. Retries soon at first. After `fundsRecheckSeconds` it retries as rarely as
 * it checks the balance, because an outage of days must not fill the execution's history.
 *
 * @param waits how often the batch has waited in this execution
 */
export const awaitProvider = async (
  dependencies: AwaitFundsDependencies,
  batch: Batch,
  waits: number,
  message: string,
): Promise<Waiting> => {
  const { settings, clock } = dependencies;
  if (waits < quietWaits && batch.status !== 'awaiting_funds')
    return { batchId: batch.batchId, next: 'wait', waitSeconds: Math.min(soonSeconds, settings.fundsRecheckSeconds) };
  const waiting = await awaitFunds(dependencies, batch, { code: providerUnavailable, message });
  const since = batch.awaitingFundsSince;
  const isRecent = since === undefined || clock() - Date.parse(since) < settings.fundsRecheckSeconds * 1000;
  return isRecent ? { ...waiting, waitSeconds: Math.min(soonSeconds, waiting.waitSeconds) } : waiting;
};
