import { ProviderRefused } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { rails } from '../domain/payout/payout.ts';
import type { Hint } from '../ports/hint-queue.ts';
import type { BeginLookup } from '../ports/ledger/webhook-ledger.ts';
import type { Needs } from '../ports/needs.ts';

export type FindNamedDependencies = Needs<{
  ledger: 'getPayoutByReference' | 'beginLookup' | 'finishLookup' | 'findReferenceOf';
  provider: 'lookUp';
  log: 'info';
}> & {
  /** Seconds between two lookups of one payout, or of one id. */
  readonly lookupWindowSeconds: number;
};

/** A hint, and what finds its payouts. */
type Search = FindNamedDependencies & { readonly hint: Hint };

/** The reason why the provider may not be asked yet. */
export type Unanswered = Extract<BeginLookup, { readonly kind: 'closed' | 'under_way' }>;

/** Returns the payout that the provider shows for an id, on either rail. An unanswered lookup is not repeated: see HINTS.md. */
const askProvider = async ({ ledger, provider, log, hint }: Search, id: string): Promise<Payout | undefined> => {
  const { webhook } = hint;
  for (const rail of rails) {
    const found = await provider.lookUp(rail, id, { isSpare: true }).catch((error: unknown) => {
      // An account may have only one of the rails.
      if (error instanceof ProviderRefused) return { kind: 'unknown', cause: error.name } as const;
      throw error;
    });
    if (found.kind === 'unknown') log.info('webhook.id_not_answered', { webhook, rail, cause: found.cause });
    const { reference } = found.kind === 'found' ? found.disbursement : {};
    const payout = reference === undefined ? undefined : await ledger.getPayoutByReference(reference);
    if (payout !== undefined) return payout;
  }
  return undefined;
};

/**
 * Finds the payout with this provider id. The ledger has no index of ids: it would cost each payout a write, and only webhooks
 * without a reference need it. So the provider is asked, once per window, until it shows a payout. That one is remembered.
 */
const findById = async (search: Search, id: string): Promise<Payout | Unanswered | undefined> => {
  const { ledger, lookupWindowSeconds: windowSeconds, hint } = search;
  const findKnown = async (): Promise<Payout | undefined> => {
    const reference = await ledger.findReferenceOf(id);
    return reference === undefined ? undefined : ledger.getPayoutByReference(reference);
  };
  const known = await findKnown();
  if (known !== undefined) return known;
  const begun = await ledger.beginLookup({ id }, { receivedAt: hint.receivedAt, windowSeconds });
  // A concurrent hint may have found it.
  if (begun.kind === 'covered') return findKnown();
  if (begun.kind !== 'begun') return begun;
  const payout = await askProvider(search, id);
  await ledger.finishLookup({ id }, begun.askedAt, payout?.reference);
  return payout;
};

/**
 * Returns the payouts whose references a webhook names. If there are none, returns the payouts behind its ids, or the reason
 * why one of those may not be looked up yet.
 *
 * @throws errors of the ledger
 */
export const findNamed = async (search: Search): Promise<readonly (Payout | Unanswered)[]> => {
  const { ledger, hint } = search;
  const named = await Array.fromAsync(hint.candidates, (candidate) => ledger.getPayoutByReference(candidate));
  const found = named.filter((payout) => payout !== undefined);
  if (found.length > 0) return found;
  const behindIds = await Array.fromAsync(hint.ids ?? [], (id) => findById(search, id));
  return behindIds.filter((one) => one !== undefined);
};
