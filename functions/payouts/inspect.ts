import {
  codeOf,
  isProviderError,
  ProviderMisconfigured,
  ProviderRefused,
  unlessProviderFails,
} from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { payoutStatusIs } from '../domain/payout/payout-status.ts';
import type { Disbursement, Lookup, PaymentProvider } from '../ports/provider.ts';
import { isReusable, otherRecord } from '../ports/provider.ts';
import type { Evidence } from './evidence.ts';
import { weigh } from './evidence.ts';

export type LookupProvider = Pick<PaymentProvider, 'traits' | 'lookUp' | 'listByReference'>;

/** Every disbursement with the payout's reference. Empty when the rail has no such search. */
const search = async (
  provider: LookupProvider,
  { rail, reference }: Pick<Payout, 'rail' | 'reference'>,
): Promise<readonly Disbursement[]> => (await provider.listByReference(rail, reference)) ?? [];

/**
 * Looks up an id or reference. A provider that ignores letter case may answer with someone else's payout. A search shows the
 * hidden one too, but no search proves absence. If the search fails, the lookup's own answer counts.
 */
const lookUp = async (
  provider: LookupProvider,
  { rail, reference }: Pick<Payout, 'rail' | 'reference'>,
  idOrReference: string,
  urgency: { readonly isSpare?: true },
): Promise<{ readonly shown: readonly Disbursement[] } | Extract<Lookup, { kind: 'unknown' }>> => {
  const found = await provider.lookUp(rail, idOrReference, urgency);
  if (found.kind === 'found') return { shown: [found.disbursement] };
  if (found.kind === 'absent') return { shown: [] };
  if (found.cause !== otherRecord || idOrReference !== reference) return found;
  const shown = (await search(provider, { rail, reference }).catch(unlessProviderFails)) ?? [];
  return shown.length > 0 ? { shown } : found;
};

/**
 * Asks the provider about one payout: by its id when that is known, else by its reference. Where a reference can be used again,
 * also searches for a second disbursement when the payout was found by its reference, or has ended, since nobody may look at it
 * again. Never throws for errors of the provider or the network: one failed lookup must not block those of other payouts.
 *
 * @param question `named`: the disbursement that an operator names. `isThorough`: looks up both id and reference, and searches
 *   for other disbursements with the same reference. `isSpare`: lookups use only spare capacity of the provider's limit, searches
 *   do not
 */
export const inspect = async (
  provider: LookupProvider,
  payout: Payout,
  question: { readonly named?: string | undefined; readonly isThorough?: boolean; readonly isSpare?: true } = {},
): Promise<Evidence> => {
  const { named, isThorough = false, ...urgency } = question;
  const { rail, reference, disbursementId } = payout;
  const ownId = named ?? disbursementId;
  const shown: Disbursement[] = [];
  try {
    for (const id of ownId === undefined ? [reference] : isThorough ? [ownId, reference] : [ownId]) {
      const found = await lookUp(provider, payout, id, urgency);
      if ('cause' in found) return { ...found, isRefused: false };
      shown.push(...found.shown);
    }
    const isSearched = isThorough || shown.some(({ status }) => ownId === undefined || payoutStatusIs(status, 'isEnd'));
    if (isSearched && isReusable(provider.traits, rail)) shown.push(...(await search(provider, payout)));
  } catch (error) {
    if (!isProviderError(error)) throw error;
    return {
      kind: 'unknown',
      cause: codeOf(error),
      isRefused: error instanceof ProviderRefused,
      ...given({ isMisconfigured: error instanceof ProviderMisconfigured || undefined }),
    };
  }
  // The operator named one disbursement: another one is no evidence for it.
  const isOther = named !== undefined && !shown.some((one) => one.disbursementId === named);
  return isOther ? { kind: 'absent' } : weigh(payout, shown, ownId);
};
