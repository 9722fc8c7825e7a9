import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions } from '../domain/batch/batch-status.ts';
import { hourMs } from '../domain/durations.ts';
import { plural } from '../domain/money/format-money.ts';
import { coversShortfalls } from '../domain/money/funding.ts';
import type { Reason } from '../domain/payout/payout.ts';
import { isoNow } from '../ports/environment.ts';
import type { Needs } from '../ports/needs.ts';

export type AwaitFundsDependencies = Needs<
  { ledger: 'moveBatch' | 'amendBatch'; settings: 'fundsRecheckSeconds' | 'fundsWaitHours' },
  'clock'
>;

/** The execution looks again after `waitSeconds`. */
export interface Waiting<Next = 'wait'> {
  readonly batchId: string;
  readonly next: Next;
  readonly waitSeconds: number;
}

export const providerUnavailable = 'provider_unavailable';

/** Reasons that pass without a person. A waiting batch is not announced again for them. */
export const passingReasons: ReadonlySet<string> = new Set([
  providerUnavailable,
  ...['balance_unclear', 'conversion_not_sent', 'rate_moved'],
]);

/** Whether a waiting batch now needs a person, and people know of an outage only, or were told of nothing since a resume. */
const isNews = ({ reason, funding }: Batch, { code }: Reason): boolean =>
  !passingReasons.has(code) &&
  (reason === undefined || reason.code === providerUnavailable) &&
  // They were told of a shortage of the last plan.
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
  const waiting = { batchId, next: 'wait', waitSeconds: settings.fundsRecheckSeconds } as const;
  const awaitingFundsSince = batch.awaitingFundsSince ?? isoNow(clock);
  const isOverdue = clock() - Date.parse(awaitingFundsSince) > settings.fundsWaitHours * hourMs;
  if (isOverdue) {
    const overdue = {
      code: 'funds_overdue',
      message: `${reason.message} Waited for ${settings.fundsWaitHours} ${plural(settings.fundsWaitHours, 'hour')}.`,
    };
    const pausing = { reason: overdue, resumeTo: 'awaiting_funds', awaitingFundsSince: null, leavingSince } as const;
    const changes = { ...pausing, ...found };
    await ledger.moveBatch(batchId, batchTransitions.expireFundsWait, 'system', changes, { detail: overdue.code });
    return waiting;
  }
  const isWaiting = batch.status === 'awaiting_funds';
  const changes = { reason, awaitingFundsSince, ...found };
  if (isWaiting && !isNews(batch, reason)) {
    await ledger.amendBatch(batchId, ['awaiting_funds'], changes);
    return waiting;
  }
  const transition = isWaiting ? batchTransitions.awaitFundsInstead : batchTransitions.awaitFunds;
  await ledger.moveBatch(batchId, transition, 'system', { ...changes, leavingSince }, { detail: reason.code });
  return waiting;
};
