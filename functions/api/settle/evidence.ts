import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { LookUpProvider } from '../../domain/look-up-payout.ts';
import { findContradiction } from '../../domain/observe-payout.ts';
import type { Payout } from '../../domain/payout.ts';
import type { Disbursement } from '../../domain/provider-port.ts';

/** What the provider says of a payout now, by every way there is to ask. */
export type Evidence =
  /** One disbursement, which is the payout's in everything. */
  | { readonly kind: 'fits'; readonly disbursement: Disbursement }
  /** One, which differs in what `code` names. */
  | { readonly kind: 'differs'; readonly disbursement: Disbursement; readonly code: string }
  | {
      readonly kind: 'several';
      readonly disbursementIds: readonly string[];
      readonly disbursements: readonly Disbursement[];
    }
  /** The service itself says, by each way, that it knows none. */
  | { readonly kind: 'absent' }
  /** It could not be asked, or did not answer all that it was asked. */
  | { readonly kind: 'unknown'; readonly cause: string };

/**
 * Asks the provider about a payout by its id (the one named, or the one the ledger has), by its reference, and for crypto by
 * a search for the reference, since a lookup shows one of several. An id that is named is asked for alone: it is what the
 * operator says the payout is.
 */
export const gatherEvidence = async (
  provider: LookUpProvider,
  payout: Payout,
  named: string | undefined,
): Promise<Evidence> => {
  try {
    return await ask(provider, payout, named);
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefused)
      return { kind: 'unknown', cause: error.name };
    throw error;
  }
};

const ask = async (provider: LookUpProvider, payout: Payout, named: string | undefined): Promise<Evidence> => {
  const { rail, reference, disbursementId } = payout;
  const found = new Map<string, Disbursement>();
  let unknown: string | undefined;
  const wanted = named === undefined ? [...(disbursementId === undefined ? [] : [disbursementId]), reference] : [named];
  await inParallel(wanted, wanted.length, async (id) => {
    const lookup = await provider.lookUp(rail, id);
    if (lookup.kind === 'found') found.set(lookup.disbursement.disbursementId, lookup.disbursement);
    if (lookup.kind === 'unknown') unknown = lookup.cause;
  });
  if (named === undefined && rail === 'crypto') {
    for (const disbursement of await provider.listByReference(reference))
      found.set(disbursement.disbursementId, disbursement);
  }
  const [only, another] = [...found.values()];
  if (unknown !== undefined) return { kind: 'unknown', cause: unknown };
  if (only === undefined) return { kind: 'absent' };
  if (another !== undefined)
    return { kind: 'several', disbursementIds: [...found.keys()].sort(), disbursements: [...found.values()] };
  const code = findContradiction(payout, only);
  return code === undefined ? { kind: 'fits', disbursement: only } : { kind: 'differs', disbursement: only, code };
};

/** The evidence in a few codes and ids, for the audit trail. */
export const describeEvidence = (evidence: Evidence): string => {
  switch (evidence.kind) {
    case 'fits':
      return `${evidence.disbursement.disbursementId} is ${evidence.disbursement.status}`;
    case 'differs':
      return `${evidence.disbursement.disbursementId} is ${evidence.disbursement.status}, ${evidence.code}`;
    case 'unknown':
      return `not asked: ${evidence.cause}`;
    case 'several':
      return `several: ${evidence.disbursementIds.join(', ')}`;
    case 'absent':
      return evidence.kind;
  }
};
