import type { Payout } from '../domain/payout/payout.ts';
import type { Disbursement } from '../ports/provider.ts';

/** What the provider says of one payout when it is asked. */
export type Evidence =
  /** Its disbursement, equal in everything; `others` stand under its reference as well. */
  | { readonly kind: 'fits'; readonly disbursement: Disbursement; readonly others: readonly Disbursement[] }
  /** One that differs in what `code` names. */
  | {
      readonly kind: 'differs';
      readonly disbursement: Disbursement;
      readonly others: readonly Disbursement[];
      readonly code: string;
    }
  /** Several under its reference, and no id says which it is; `fitting` are equal to it in everything else. */
  | {
      readonly kind: 'several';
      readonly disbursements: readonly Disbursement[];
      readonly fitting: readonly Disbursement[];
    }
  /** The service itself says that it knows none. */
  | { readonly kind: 'absent' }
  /** It could not be asked, or did not answer. `isRefused`: nobody gets an answer until a person has acted. */
  | { readonly kind: 'unknown'; readonly cause: string; readonly isRefused: boolean };

/** The code of a difference by which the disbursement is another one than the payout's own. */
export const anotherDisbursementCode = 'another_disbursement';

/**
 * The first thing in which a disbursement differs from the payout it is said to be, as a code; undefined when it fits. A
 * disbursement without a reference fits only by its id: every payout is posted with a reference, so it is somebody else's.
 */
export const findDifference = (payout: Payout, disbursement: Disbursement): string | undefined => {
  const isKnown = payout.disbursementId === disbursement.disbursementId;
  if (payout.disbursementId !== undefined && !isKnown) return anotherDisbursementCode;
  if (disbursement.reference === undefined ? !isKnown : disbursement.reference !== payout.reference)
    return 'reference_differs';
  if (disbursement.rail !== payout.rail || disbursement.amount.currency !== payout.amount.currency)
    return 'currency_differs';
  if (!disbursement.amount.equals(payout.amount)) return 'amount_differs';
  if (disbursement.destinationHash !== undefined && disbursement.destinationHash !== payout.destinationHash)
    return 'destination_differs';
  return undefined;
};

/**
 * Weighs what the provider shows under a payout's id and reference.
 *
 * @param ownId the id by which the payout is known, or by which an operator names it
 */
export const weigh = (
  payout: Payout,
  shown: readonly Disbursement[],
  ownId: string | undefined = payout.disbursementId,
): Evidence => {
  const byId = new Map(shown.map((one) => [one.disbursementId, one]));
  const all = [...byId.values()].sort((one, other) => (one.disbursementId < other.disbursementId ? -1 : 1));
  const own = ownId === undefined ? undefined : byId.get(ownId);
  const disbursement = own ?? (all.length === 1 ? all[0] : undefined);
  if (all.length === 0) return { kind: 'absent' };
  if (disbursement === undefined)
    return { kind: 'several', disbursements: all, fitting: all.filter((one) => !findDifference(payout, one)) };
  const others = all.filter((one) => one !== disbursement);
  const code = findDifference(payout, disbursement);
  return code === undefined ? { kind: 'fits', disbursement, others } : { kind: 'differs', disbursement, others, code };
};

/** Every disbursement that the evidence shows. */
export const shownBy = (evidence: Evidence): readonly Disbursement[] => {
  if (evidence.kind === 'several') return evidence.disbursements;
  return 'disbursement' in evidence ? [evidence.disbursement, ...evidence.others] : [];
};

/** The evidence in codes and ids, for the timeline. */
export const describeEvidence = (evidence: Evidence): string => {
  if (evidence.kind === 'absent') return evidence.kind;
  if (evidence.kind === 'unknown') return `not asked: ${evidence.cause}`;
  const [own, ...others] = shownBy(evidence).map(({ disbursementId, status }) => `${disbursementId} is ${status}`);
  return [evidence.kind === 'differs' ? `${own} (${evidence.code})` : own, ...others].join(', ');
};
