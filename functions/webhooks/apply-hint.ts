import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { apply } from '../payouts/apply.ts';
import { follow } from '../payouts/decide.ts';
import type { AskedProvider } from '../payouts/inspect.ts';
import { inspect } from '../payouts/inspect.ts';
import type { Log } from '../ports/environment.ts';
import type { Hint } from '../ports/hint-queue.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import type { BeginLookup, WebhookLedger } from '../ports/webhook-ledger.ts';

export interface ApplyHintDependencies {
  readonly ledger: Pick<
    PayoutLedger,
    'getPayoutByReference' | 'movePayout' | 'recordContradiction' | 'countAbsence' | 'refreshChunk'
  > &
    Pick<WebhookLedger, 'beginLookup' | 'finishLookup' | 'findReferenceOf'>;
  readonly provider: AskedProvider;
  readonly log: Log;
  /** Seconds between two look-ups of one payout. */
  readonly lookupWindowSeconds: number;
}

export type AppliedHint =
  | { readonly kind: 'applied' }
  /**
   * A payout it names was asked about too short a time ago: from `until` (ISO 8601 UTC) on it may be asked about again.
   * `lookUpBegan` (the same) where nothing is left to wait for but a look-up that covers the hint once it is recorded.
   */
  | { readonly kind: 'wait'; readonly until: string; readonly lookUpBegan?: string };

type Unanswered = Extract<BeginLookup, { readonly kind: 'closed' | 'under_way' }>;

/** What a hint names: payouts, each once, and ids that the provider may not be asked about yet. */
interface Named {
  readonly payouts: readonly Payout[];
  readonly left: readonly Unanswered[];
}

const unavailable = (cause: string): ProviderUnavailable => new ProviderUnavailable(`lookup_${cause}`);

/** The provider was asked, and does not know such an id: it refuses the question, or shows another record. */
const isNoId = /^(status_4(?!29)\d\d|other_record|id_not_addressable)$/;

/** The reference that the provider shows for an id. Throws ProviderUnavailable where it does not answer. */
const askReferenceOf = async (provider: AskedProvider, id: string): Promise<string | undefined> => {
  for (const rail of ['fiat', 'crypto'] as const) {
    const found = await provider.lookUp(rail, id, { isSpare: true });
    if (found.kind === 'unknown' && !isNoId.test(found.cause)) throw unavailable(found.cause);
    if (found.kind === 'found') return found.disbursement.reference;
  }
  return undefined;
};

/** More ids than this no webhook carries without a reference: one of the event, one of what it is about, one of its group. */
const mostIdsAsked = 3;

/**
 * The payouts behind ids of the provider's. The ledger keeps no index of them: it would cost each payout a write, for webhooks
 * alone that tell no reference. Each id is asked about once, and again only where nothing was found.
 */
const findByIds = async (
  { ledger, provider, lookupWindowSeconds: windowSeconds }: ApplyHintDependencies,
  { receivedAt, candidates }: Hint,
): Promise<Named> => {
  const references = new Set<string>();
  const left: Unanswered[] = [];
  for (const id of candidates.slice(0, mostIdsAsked)) {
    let reference = await ledger.findReferenceOf(id);
    if (reference === undefined) {
      const begun = await ledger.beginLookup(id, { receivedAt, windowSeconds });
      if (begun.kind === 'begun') {
        reference = await askReferenceOf(provider, id);
        await ledger.finishLookup(id, begun.askedAt, reference);
      } else if (begun.kind !== 'covered') left.push(begun);
    }
    if (reference !== undefined) references.add(reference);
  }
  return { payouts: await findByReferences(ledger, [...references]), left };
};

const findByReferences = async (
  ledger: ApplyHintDependencies['ledger'],
  references: readonly string[],
): Promise<readonly Payout[]> => {
  const found: Payout[] = [];
  for (const reference of references) {
    const payout = await ledger.getPayoutByReference(reference);
    if (payout !== undefined) found.push(payout);
  }
  return found;
};

const findPayouts = async (dependencies: ApplyHintDependencies, hint: Hint): Promise<Named> => {
  const payouts = await findByReferences(dependencies.ledger, hint.candidates);
  return payouts.length > 0 ? { payouts, left: [] } : findByIds(dependencies, hint);
};

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
    throw evidence.isRefused ? new ProviderRefused(`lookup_${evidence.cause}`) : unavailable(evidence.cause);
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
  const begun = await ledger.beginLookup(payout.reference, { receivedAt: hint.receivedAt, windowSeconds });
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
      await ledger.finishLookup(payout.reference, begun.askedAt);
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
  const { payouts, left: unasked } = await findPayouts(dependencies, hint);
  const left = [...unasked];
  if (payouts.length + left.length === 0) dependencies.log.info('webhook.names_no_payout', { webhook: hint.webhook });
  for (const payout of payouts) {
    const unanswered = await applyTo(dependencies, hint, payout);
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
