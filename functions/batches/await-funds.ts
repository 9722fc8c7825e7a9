import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions } from '../domain/batch/batch-status.ts';
import { plural } from '../domain/money/format-money.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { Clock } from '../ports/environment.ts';
import { isoNow } from '../ports/environment.ts';
import type { Ledger } from '../ports/ledger/ledger.ts';

export interface AwaitFundsDependencies {
  readonly ledger: Pick<Ledger, 'moveBatch' | 'amendBatch'>;
  readonly settings: Pick<OrchestratorSettings, 'fundsRecheckSeconds' | 'fundsWaitHours'>;
  readonly clock: Clock;
}

export interface Waiting {
  readonly batchId: string;
  readonly next: 'wait';
  readonly waitSeconds: number;
}

/**
 * Lets a batch await funds, with the reason a person reads. After `fundsWaitHours` it is paused, so that a batch that
 * nobody funds says so instead of waiting for ever.
 */
export const awaitFunds = async (
  { ledger, settings, clock }: AwaitFundsDependencies,
  batch: Batch,
  reason: Reason,
): Promise<Waiting> => {
  const { batchId } = batch;
  const awaitingFundsSince = batch.awaitingFundsSince ?? isoNow(clock);
  const isOverdue = clock() - Date.parse(awaitingFundsSince) > settings.fundsWaitHours * 3_600_000;
  if (isOverdue) {
    const overdue = {
      code: 'funds_overdue',
      message: `${reason.message} Waited for ${settings.fundsWaitHours} ${plural(settings.fundsWaitHours, 'hour')}.`,
    };
    await ledger.moveBatch(
      batchId,
      // Resuming goes back to awaiting funds, so it must still be there: another run may have begun to disburse it.
      { ...batchTransitions.pause, from: ['awaiting_funds'] },
      'system',
      { reason: overdue, resumeTo: 'awaiting_funds', awaitingFundsSince: null },
      overdue.code,
    );
  } else if (batch.status === 'awaiting_funds') {
    await ledger.amendBatch(batchId, ['awaiting_funds'], { reason, awaitingFundsSince });
  } else {
    await ledger.moveBatch(batchId, batchTransitions.awaitFunds, 'system', { reason, awaitingFundsSince }, reason.code);
  }
  return { batchId, next: 'wait', waitSeconds: settings.fundsRecheckSeconds };
};

/** Lets a batch await what comes by itself: it looks again soon, and less and less often the longer that takes. */
export const awaitSoon = async (
  dependencies: AwaitFundsDependencies,
  batch: Batch,
  reason: Reason,
  waitedMs: number,
): Promise<Waiting> => {
  const waiting = await awaitFunds(dependencies, batch, reason);
  return { ...waiting, waitSeconds: Math.min(waiting.waitSeconds, Math.max(1, Math.ceil(waitedMs / 4000))) };
};

/** Seconds between the first looks at a provider that did not answer: most outages are short. */
const soonSeconds = 15;

/**
 * Lets a batch await a provider that did not answer a read. It is asked again soon, and once the batch has waited for as long as
 * between two looks at the balance, as seldom as that: an outage of days must not fill the execution's history.
 */
export const awaitProvider = async (
  dependencies: AwaitFundsDependencies,
  batch: Batch,
  message: string,
): Promise<Waiting> => {
  const { settings, clock } = dependencies;
  const waiting = await awaitFunds(dependencies, batch, { code: 'provider_unavailable', message });
  const since = batch.awaitingFundsSince;
  const isRecent = since === undefined || clock() - Date.parse(since) < settings.fundsRecheckSeconds * 1000;
  return isRecent ? { ...waiting, waitSeconds: Math.min(soonSeconds, waiting.waitSeconds) } : waiting;
};
