import { ProviderRefused, ProviderUnavailable } from '../../domain/errors.ts';
import type { LookUpProvider } from '../../domain/look-up-payout.ts';
import { findContradiction } from '../../domain/observe-payout.ts';
import type { Payout } from '../../domain/payout.ts';
import type { Disbursement } from '../../ports/provider.ts';

/** What the provider says of a payout now, by every way there is to ask. */
export type Evidence =
  /** The payout's disbursement, which is so in everything; `others` stand under its reference as well. */
  | { readonly kind: 'fits'; readonly disbursement: Disbursement; readonly others: readonly Disbursement[] }
  /** One that differs in what `code` names. */
  | {
      readonly kind: 'differs';
      readonly disbursement: Disbursement;
      readonly others: readonly Disbursement[];
      readonly code: string;
    }
  /** Several, of which it is not known which the payout is; `fitting` are the payout's in everything but that. */
  | {
      readonly kind: 'several';
      readonly disbursements: readonly Disbursement[];
      readonly fitting: readonly Disbursement[];
    }
  /** The service itself says, by each way, that it knows none. */
  | { readonly kind: 'absent' }
  /** It could not be asked, or did not answer all that it was asked. */
  | { readonly kind: 'unknown'; readonly cause: string };

/**
 * Asks the provider about a payout by its id (the one named, or the one the ledger has), by its reference, and for crypto by
 * a search for the reference, since a lookup shows one of several. Which of them the payout is, the id says, where there is one.
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
  const { rail, reference } = payout;
  const ownId = named ?? payout.disbursementId;
  const lookups = await Promise.all(
    [...(ownId === undefined ? [] : [ownId]), reference].map((id) => provider.lookUp(rail, id)),
  );
  const listed = rail === 'crypto' ? await provider.listByReference(reference) : [];
  const unknown = lookups.find(({ kind }) => kind === 'unknown');
  if (unknown?.kind === 'unknown') return { kind: 'unknown', cause: unknown.cause };
  const shown = [...lookups.flatMap((one) => (one.kind === 'found' ? [one.disbursement] : [])), ...listed];
  const byId = new Map(shown.map((one) => [one.disbursementId, one]));
  const all = [...byId.values()].sort((one, other) => (one.disbursementId < other.disbursementId ? -1 : 1));
  const own = ownId === undefined ? undefined : byId.get(ownId);
  if (own === undefined && (named !== undefined || all.length === 0)) return { kind: 'absent' };
  const disbursement = own ?? (all.length === 1 ? all[0] : undefined);
  if (disbursement === undefined) {
    return { kind: 'several', disbursements: all, fitting: all.filter((one) => !findContradiction(payout, one)) };
  }
  const others = all.filter((one) => one !== disbursement);
  const code = findContradiction(payout, disbursement);
  return code === undefined ? { kind: 'fits', disbursement, others } : { kind: 'differs', disbursement, others, code };
};

/** Every disbursement that the provider has shown. */
export const shownBy = (evidence: Evidence): readonly Disbursement[] => {
  switch (evidence.kind) {
    case 'fits':
    case 'differs':
      return [evidence.disbursement, ...evidence.others];
    case 'several':
      return evidence.disbursements;
    case 'absent':
    case 'unknown':
      return [];
  }
};

const describe = ({ disbursementId, status }: Disbursement): string => `${disbursementId} is ${status}`;

/** The evidence in a few codes and ids, for the audit trail. */
export const describeEvidence = (evidence: Evidence): string => {
  switch (evidence.kind) {
    case 'fits':
      return shownBy(evidence).map(describe).join(', ');
    case 'differs':
      return [`${describe(evidence.disbursement)} (${evidence.code})`, ...evidence.others.map(describe)].join(', ');
    case 'unknown':
      return `not asked: ${evidence.cause}`;
    case 'several':
      return evidence.disbursements.map(describe).join(', ');
    case 'absent':
      return evidence.kind;
  }
};
