import type { Payout } from '../domain/payout/payout.ts';
import { payoutStatusIs } from '../domain/payout/payout-status.ts';
import type { Disbursement } from '../ports/provider.ts';

/** The provider's answer about one payout. */
export type Evidence =
  /** Its disbursement, equal in every field. `others` share its reference. */
  | { readonly kind: 'fits'; readonly disbursement: Disbursement; readonly others: readonly Disbursement[] }
  /** A disbursement that differs. `code` names the difference. */
  | {
      readonly kind: 'differs';
      readonly disbursement: Disbursement;
      readonly others: readonly Disbursement[];
      readonly code: string;
    }
  /**
   * Several disbursements share its reference, and no id shows which is its own. `fitting` equal the payout in all other
   * fields.
   */
  | {
      readonly kind: 'several';
      readonly disbursements: readonly Disbursement[];
      readonly fitting: readonly Disbursement[];
    }
  /** The service itself reports that it has none. */
  | { readonly kind: 'absent' }
  /**
   * The request was not sent, got no answer, was refused, or its answer proves nothing. `isRefused`: every request fails until a
   * person has acted. `isMisconfigured`: the likely cause is a setting, but an outage can look the same.
   */
  | {
      readonly kind: 'unknown';
      readonly cause: string;
      readonly isRefused: boolean;
      readonly isMisconfigured?: true;
    };

/** Code of the difference that the disbursement is not the payout's own. */
export const anotherDisbursementCode = 'another_disbursement';

/**
 * Returns the code of the first difference between a payout and a disbursement; undefined when they match. A disbursement
 * without a reference matches only by its id: every payout is posted with a reference, so it is not ours.
 */
export const findDifference = (payout: Payout, disbursement: Disbursement): string | undefined => {
  const isKnown = payout.disbursementId === disbursement.disbursementId;
  if (payout.disbursementId !== undefined && !isKnown) return anotherDisbursementCode;
  if (disbursement.reference === undefined ? !isKnown : disbursement.reference !== payout.reference)
    return 'reference_differs';
  if (disbursement.rail !== payout.rail || disbursement.amount.currency !== payout.amount.currency)
    return 'currency_differs';
  if (!disbursement.amount.equals(payout.amount)) return 'amount_differs';
  const { destinationHash = payout.destinationHash, formerHash } = disbursement;
  return [destinationHash, formerHash].includes(payout.destinationHash) ? undefined : 'destination_differs';
};

/**
 * Weighs the disbursements that the provider shows under a payout's id and reference.
 *
 * @param ownId the payout's recorded id, or the one that an operator names
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

/** False when the money was given back, whatever else differs. */
export const mayHavePaid = ({ status }: Pick<Disbursement, 'status'>): boolean =>
  status !== 'failed' && status !== 'canceled';

export const shownBy = (evidence: Evidence): readonly Disbursement[] => {
  if (evidence.kind === 'several') return evidence.disbursements;
  return 'disbursement' in evidence ? [evidence.disbursement, ...evidence.others] : [];
};

/** True when the provider works on a disbursement of the payout, which may still pay. */
export const showsWork = (evidence: Evidence): boolean =>
  shownBy(evidence).some(({ status }) => payoutStatusIs(status, 'isWithProvider'));

/** Describes the evidence in codes and ids, for the timeline. */
export const describeEvidence = (evidence: Evidence): string => {
  if (evidence.kind === 'absent') return evidence.kind;
  if (evidence.kind === 'unknown') return `not asked: ${evidence.cause}`;
  const [own, ...others] = shownBy(evidence).map(({ disbursementId, status }) => `${disbursementId} is ${status}`);
  return [evidence.kind === 'differs' ? `${own} (${evidence.code})` : own, ...others].join(', ');
};
