import type { Batch } from '../domain/batch/batch.ts';
import { isBeingFunded } from '../domain/batch/batch-status.ts';
import { ProviderMisconfigured, ProviderUnavailable } from '../domain/errors.ts';
import type { AwaitFundsDependencies, Waiting } from './await-funds.ts';
import { awaitFunds, providerUnavailable } from './await-funds.ts';

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
