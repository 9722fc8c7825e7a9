import type { PayoutLedger } from '../domain/ledger-port.ts';
import { observePayout } from '../domain/observe-payout.ts';
import type { Payout } from '../domain/payout.ts';
import type { Log } from '../domain/surroundings.ts';
import type { AskedProvider } from './ask-provider.ts';
import { askProvider } from './ask-provider.ts';
import { findCandidates } from './find-candidates.ts';

export interface ApplyDependencies {
  readonly ledger: Pick<
    PayoutLedger,
    'findPayoutByDisbursementId' | 'getPayoutByReference' | 'movePayout' | 'refreshChunk'
  >;
  readonly provider: AskedProvider;
  readonly log: Log;
}

/** A webhook as the ledger's stream hands it over. */
export interface StoredWebhook {
  readonly hash: string;
  readonly body: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
}

/** The payouts that the candidates name, each once. */
const findPayouts = async (
  ledger: ApplyDependencies['ledger'],
  candidates: readonly string[],
): Promise<readonly Payout[]> => {
  const found = new Map<string, Payout>();
  for (const candidate of candidates) {
    const payout =
      (await ledger.findPayoutByDisbursementId(candidate)) ?? (await ledger.getPayoutByReference(candidate));
    if (payout !== undefined) found.set(payout.reference, payout);
  }
  return [...found.values()];
};

const applyTo = async (dependencies: ApplyDependencies, webhook: StoredWebhook, payout: Payout): Promise<void> => {
  const { ledger, provider, log } = dependencies;
  const ids = { webhook: webhook.hash, batchId: payout.batchId, chunk: payout.chunk, row: payout.row };
  const disbursement = await askProvider(provider, payout);
  if (disbursement === undefined) return log.info('webhook.nothing_found', ids);
  const observed = await observePayout({ ledger, log }, payout, disbursement);
  // Also when an earlier try of this webhook moved the payout and died before adding the chunk up again.
  const changed = observed.status !== payout.status || observed.updatedAt >= webhook.receivedAt;
  if (changed) await ledger.refreshChunk(payout.batchId, payout.chunk);
  log.info('webhook.applied', { ...ids, status: observed.status, changed });
};

/**
 * Takes a webhook as a hint: asks the provider about each payout it names and records what the provider says, by the
 * rule that polling uses. What the webhook itself claims is not believed. Ended payouts are asked about too, since a
 * change after an end must raise an alarm. Throws what the ledger and the provider throw.
 */
export const applyWebhook = async (dependencies: ApplyDependencies, webhook: StoredWebhook): Promise<void> => {
  const { ledger, log } = dependencies;
  const candidates = findCandidates(webhook.body);
  if (candidates === undefined) return log.info('webhook.not_json', { webhook: webhook.hash });
  const payouts = await findPayouts(ledger, candidates);
  if (payouts.length === 0) {
    return log.info('webhook.names_no_payout', { webhook: webhook.hash, candidates: candidates.length });
  }
  for (const payout of payouts) await applyTo(dependencies, webhook, payout);
};
