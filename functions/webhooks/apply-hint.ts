import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { apply } from '../payouts/apply.ts';
import { follow } from '../payouts/decide.ts';
import type { LookupProvider } from '../payouts/inspect.ts';
import { inspect } from '../payouts/inspect.ts';
import type { Log } from '../ports/environment.ts';
import type { Hint } from '../ports/hint-queue.ts';
import type { PayoutLedger } from '../ports/ledger/payout-ledger.ts';
import type { WebhookLedger } from '../ports/ledger/webhook-ledger.ts';
import type { FindNamedDependencies, Unanswered } from './find-named.ts';
import { findNamed } from './find-named.ts';

export interface ApplyHintDependencies extends FindNamedDependencies {
  readonly ledger: FindNamedDependencies['ledger'] &
    Pick<PayoutLedger, 'movePayout' | 'recordContradiction' | 'countAbsence' | 'refreshChunk'> &
    Pick<WebhookLedger, 'beginLookup' | 'finishLookup'>;
  readonly provider: LookupProvider;
  readonly log: Log;
}

export type AppliedHint =
  | { readonly kind: 'applied' }
  /**
   * A payout it names was asked about too short a time ago: from `until` (ISO 8601 UTC) on it may be asked about again.
   * `lookUpBegan` (the same) where nothing is left to wait for but a look-up that covers the hint once it is recorded.
   */
  | { readonly kind: 'wait'; readonly until: string; readonly lookUpBegan?: string };

const idsOf = ({ webhook }: Hint, { batchId, chunk, row }: Payout) => ({ webhook, batchId, chunk, row });

/** By how much the clocks of two functions may differ. */
const clocksDifferMs = 10_000;

/**
 * Adds the chunk up again when the payout has changed since the hint came, whoever changed it: an earlier try of this hint may
 * have, and died before it did this. No hint is let go without it.
 */
const addUp = async ({ ledger }: ApplyHintDependencies, hint: Hint, payout: Payout): Promise<boolean> => {
  const changed = Date.parse(payout.updatedAt) + clocksDifferMs >= Date.parse(hint.receivedAt);
  if (changed) await ledger.refreshChunk(payout.batchId, payout.chunk);
  return changed;
};

const ask = async (dependencies: ApplyHintDependencies, hint: Hint, payout: Payout): Promise<void> => {
  const { ledger, provider, log } = dependencies;
  const ids = idsOf(hint, payout);
  const evidence = await inspect(provider, payout);
  if (evidence.kind === 'unknown')
    throw new (evidence.isRefused ? ProviderRefused : ProviderUnavailable)(`lookup_${evidence.cause}`);
  if (evidence.kind === 'absent') {
    await addUp(dependencies, hint, payout);
    return log.info('webhook.nothing_found', ids);
  }
  const { payout: observed } = await apply({ ledger, log }, payout, follow(evidence));
  const changed = await addUp(dependencies, hint, observed);
  log.info('webhook.applied', { ...ids, status: observed.status, changed });
};

/** Answers why the payout is left alone for now, undefined when nothing is left to ask. */
const applyTo = async (
  dependencies: ApplyHintDependencies,
  hint: Hint,
  payout: Payout,
): Promise<Unanswered | undefined> => {
  const { ledger, log, lookupWindowSeconds: windowSeconds } = dependencies;
  const { reference } = payout;
  const begun = await ledger.beginLookup({ reference }, { receivedAt: hint.receivedAt, windowSeconds });
  switch (begun.kind) {
    case 'covered':
      await addUp(dependencies, hint, payout);
      log.info('webhook.covered', idsOf(hint, payout));
      return undefined;
    case 'closed':
    case 'under_way':
      return begun;
    case 'begun':
      await ask(dependencies, hint, payout);
      // Only now: a look-up that dies before all is recorded covers no hint.
      await ledger.finishLookup({ reference }, begun.askedAt);
      return undefined;
  }
};

/**
 * Asks the provider about each payout a hint names and records what the provider says, by the rule that Follow uses.
 * What the webhook itself claims is not believed. Ended payouts are asked about too, since a change after an end must
 * be recorded. Each payout is asked about once in a window: a hint that comes within it waits, and is done with when a
 * look-up that began after it has been recorded, whichever hint that was for. Throws what the ledger and the provider
 * throw; then all of it may be done again.
 */
export const applyHint = async (dependencies: ApplyHintDependencies, hint: Hint): Promise<AppliedHint> => {
  const named = await findNamed(dependencies, hint);
  if (named.length === 0) dependencies.log.info('webhook.names_no_payout', { webhook: hint.webhook });
  const left: Unanswered[] = [];
  for (const one of named) {
    const unanswered = 'kind' in one ? one : await applyTo(dependencies, hint, one);
    if (unanswered !== undefined) left.push(unanswered);
  }
  const closed = left.flatMap(({ kind, until }) => (kind === 'closed' ? [until] : [])).sort();
  const [until] = closed.slice(-1);
  if (until !== undefined) return { kind: 'wait', until };
  const underWay = left.find((one) => one.kind === 'under_way');
  return underWay === undefined
    ? { kind: 'applied' }
    : { kind: 'wait', until: underWay.until, lookUpBegan: underWay.askedAt };
};
