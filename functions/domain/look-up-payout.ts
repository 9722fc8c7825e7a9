import type { Lookup, PaymentProvider } from '../ports/provider.ts';
import type { Payout } from './payout.ts';

export type LookUpProvider = Pick<PaymentProvider, 'lookUp' | 'listByReference'>;

/** What the provider says when it is asked about one payout; `several`: more than one disbursement has its reference. */
export type PayoutLookup = Lookup | { readonly kind: 'several' };

/**
 * Asks the provider about a payout: by the id it is known by, else by its reference. A crypto reference may be used twice
 * and a lookup shows only one of them, so what is found by it is listed as well.
 */
export const lookUpPayout = async (
  provider: LookUpProvider,
  { rail, reference, disbursementId }: Pick<Payout, 'rail' | 'reference' | 'disbursementId'>,
): Promise<PayoutLookup> => {
  const lookup = await provider.lookUp(rail, disbursementId ?? reference);
  if (lookup.kind !== 'found' || rail === 'fiat' || disbursementId !== undefined) return lookup;
  const all = await provider.listByReference(reference);
  return all.length > 1 ? { kind: 'several' } : lookup;
};
