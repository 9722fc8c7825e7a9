import { ProviderUnavailable } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { isEnd } from '../domain/payout-lifecycle.ts';
import type { Disbursement, Lookup, PaymentProvider } from '../ports/provider.ts';

export type AskedProvider = Pick<PaymentProvider, 'lookUp' | 'listByReference'>;

const onlyIfFound = (lookup: Lookup): Disbursement | undefined => {
  switch (lookup.kind) {
    case 'found':
      return lookup.disbursement;
    case 'absent':
      return undefined;
    case 'unknown':
      throw new ProviderUnavailable(`lookup_${lookup.cause}`);
  }
};

/**
 * What the provider says of a payout now; undefined when it says nothing that can be relied on. By disbursement id where
 * the ledger knows it. A payout whose call is not answered yet is found by its reference; of a crypto reference there
 * may be several: which one it is, is ResolveChunk's or an operator's to judge while the payout is in doubt, and where there
 * should be none (`ready`, or ended without one) the first will do. Throws ProviderUnavailable for an outage.
 */
export const askProvider = async (provider: AskedProvider, payout: Payout): Promise<Disbursement | undefined> => {
  if (payout.disbursementId !== undefined)
    return onlyIfFound(await provider.lookUp(payout.rail, payout.disbursementId));
  if (payout.rail === 'fiat') return onlyIfFound(await provider.lookUp('fiat', payout.reference));
  const [only, another] = await provider.listByReference(payout.reference);
  const isInDoubt = payout.status !== 'ready' && !isEnd(payout.status);
  return another !== undefined && isInDoubt ? undefined : only;
};
