import { ProviderRefused, ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { payoutStatusIs } from '../domain/payout/payout-status.ts';
import type { Disbursement, PaymentProvider } from '../ports/provider.ts';
import type { Evidence } from './evidence.ts';
import { weigh } from './evidence.ts';

export type LookupProvider = Pick<PaymentProvider, 'lookUp' | 'listByReference'>;

/**
 * Asks the provider about one payout: by its id where one is known, else by its reference. A crypto reference may be used
 * twice and a look-up shows one of them: so what is found by it is searched for as well, and what has ended, since nobody may
 * look at it again. Never throws for what the provider or the network does: one payout's failed question must not cost the
 * others theirs.
 *
 * @param question `named`: the disbursement that an operator says it is; `isThorough`: asks by every way there is, also for
 *   what stands under the reference beside its own disbursement
 */
export const inspect = async (
  provider: LookupProvider,
  payout: Payout,
  question: { readonly named?: string | undefined; readonly isThorough?: boolean } = {},
): Promise<Evidence> => {
  const { named, isThorough = false } = question;
  const { rail, reference, disbursementId } = payout;
  const ownId = named ?? disbursementId;
  const shown: Disbursement[] = [];
  try {
    for (const id of ownId === undefined ? [reference] : isThorough ? [ownId, reference] : [ownId]) {
      const found = await provider.lookUp(rail, id);
      if (found.kind === 'unknown') return { ...found, isRefused: false };
      if (found.kind === 'found') shown.push(found.disbursement);
    }
    const isSearched = isThorough || shown.some(({ status }) => ownId === undefined || payoutStatusIs(status, 'isEnd'));
    if (rail === 'crypto' && isSearched) shown.push(...(await provider.listByReference(reference)));
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    return { kind: 'unknown', cause: error.name, isRefused: error instanceof ProviderRefused };
  }
  // An operator's word names one disbursement: another one is no evidence for it.
  const isOther = named !== undefined && !shown.some((one) => one.disbursementId === named);
  return isOther ? { kind: 'absent' } : weigh(payout, shown, ownId);
};
