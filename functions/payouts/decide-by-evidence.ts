import { given } from '../domain/given.ts';
import type { FoundContradiction, Payout, Reason } from '../domain/payout/payout.ts';
import { changedAfterEndCode, isRecorded, usedTwiceCode } from '../domain/payout/payout.ts';
import type { PayoutStatus, PayoutTransition } from '../domain/payout/payout-status.ts';
import { isEnd, mergeObservation, payoutStatusIs, payoutTransitions } from '../domain/payout/payout-status.ts';
import { settledNotPaidCode } from '../domain/payout/retries.ts';
import type { PayoutChanges } from '../ports/ledger/payout-ledger.ts';
import type { Disbursement } from '../ports/provider.ts';
import type { Evidence } from './evidence.ts';
import { anotherDisbursementCode, findDifference, mayHavePaid } from './evidence.ts';

/** The next write about a payout. */
export type Move =
  | {
      readonly kind: 'move';
      readonly transition: PayoutTransition;
      readonly changes?: PayoutChanges;
      /** The write fails once another call has claimed the payout. */
      readonly call?: number | undefined;
      /** Ends the writes of this observation. A person, or a later look, goes on. */
      readonly isLast?: true;
    }
  /** Keeps the status, and records the contradiction beside it. */
  | { readonly kind: 'record'; readonly found: FoundContradiction }
  /** Counts one more proof that the provider does not know the payout. */
  | { readonly kind: 'count_absence' };

/**
 * Decides the next write for a payout in its current state; undefined when there is none. Pure: it is called again after each
 * write.
 */
export type Policy = (payout: Payout) => Move | undefined;

/** Leaves every payout as it is. */
export const leave: Policy = () => undefined;

/** Code of a payout that was quarantined before it was posted, because the provider already has a disbursement for it. */
export const foundUnpostedCode = 'found_unposted';

/** Code of a payout that stayed unchanged for longer than payouts are followed. */
export const followedTooLongCode = 'followed_too_long';

/** Reasons that operators read beside a status that the provider decided. */
const reasons: Readonly<Partial<Record<Disbursement['status'], Reason>>> = {
  failed: { code: 'provider_failed', message: 'The provider says that the payout failed.' },
  canceled: { code: 'provider_canceled', message: 'The provider says that the payout was canceled.' },
  on_hold: { code: 'provider_need_check', message: 'The provider holds the payout for a check.' },
};

/** @param call makes the write fail once another call has claimed the payout */
export const quarantineBecause = (code: string, message: string, call?: number): Move => {
  const changes = { reason: { code, message } };
  return { kind: 'move', transition: payoutTransitions.quarantine, changes, call };
};

/**
 * Undefined when the contradiction is recorded already, or when the disbursement belongs to the payout that this one
 * duplicates. Also when it gave its money back and the payout was settled as not paid: settling allows that, and a contradiction
 * would forbid the retry.
 */
const record = (payout: Payout, code: string, disbursement: Disbursement): Move | undefined => {
  const { disbursementId, status: observed } = disbursement;
  const found = { code, disbursementId, observed };
  const isSettled = payout.reason?.code === settledNotPaidCode && !mayHavePaid(disbursement);
  return isSettled || isRecorded(payout, found) || payout.heldBy !== undefined ? undefined : { kind: 'record', found };
};

/**
 * True for a payout that ended without a disbursement: refused, canceled before it was submitted, settled as not paid, or written
 * off. A disbursement that shows up later may still pay, whatever its status now. False when an operator vouched for the payment.
 */
const endedWithoutDisbursement = ({ status, disbursementId }: Payout): boolean =>
  isEnd(status) && status !== 'completed' && disbursementId === undefined;

const takeOver = (
  payout: Payout,
  status: Exclude<PayoutStatus, 'ready'>,
  disbursement: Disbursement,
): Move | undefined => {
  const merge = mergeObservation(status, disbursement.status);
  if (merge.kind === 'move') {
    const why = reasons[disbursement.status];
    const { disbursementId, fee, statusText } = disbursement;
    const reason = why && { ...why, ...given({ providerText: statusText }) };
    return { ...merge, changes: { disbursementId, ...given({ fee, reason }) } };
  }
  if (endedWithoutDisbursement(payout))
    return status === disbursement.status ? undefined : record(payout, 'made_after_all', disbursement);
  return merge.kind === 'keep' ? undefined : record(payout, changedAfterEndCode, disbursement);
};

/** Decides about one disbursement that carries the payout's id or reference. */
const decideOne = (payout: Payout, disbursement: Disbursement): Move | undefined => {
  const { status } = payout;
  const difference = findDifference(payout, disbursement);
  if (status === 'ready') {
    const reason = {
      code: difference ?? foundUnpostedCode,
      message:
        'The provider has a disbursement with this reference, although no call claims the payout. An earlier call made it after all, or another system uses the reference.',
    };
    // Without `isLast`, the same observation would immediately lift the quarantine, and nobody would learn why it was not
    // posted.
    return { kind: 'move', transition: payoutTransitions.quarantineUnposted, changes: { reason }, isLast: true };
  }
  if (difference === undefined) return takeOver(payout, status, disbursement);
  if (difference === anotherDisbursementCode && disbursement.reference === payout.reference)
    return record(payout, usedTwiceCode, disbursement);
  if (isEnd(status)) return record(payout, difference, disbursement);
  if (status === 'quarantined') return undefined;
  return quarantineBecause(difference, "The provider's disbursement differs from the payout in the file.");
};

/**
 * Records disbursements that share the payout's reference without being its own.
 *
 * @param ownId id of its own disbursement when the payout has none recorded; undefined when an operator says that there is none
 */
export const recordBeside =
  (shown: readonly Disbursement[], ownId?: string): Policy =>
  (payout) =>
    shown
      .filter(({ reference }) => reference === payout.reference)
      // The payout's newest id counts: it may have been set since the payout was read.
      .filter(({ disbursementId }) => disbursementId !== (payout.disbursementId ?? ownId))
      .map((other) => record(payout, usedTwiceCode, other))
      .find((move) => move !== undefined);

const recordOthers = (payout: Payout, others: readonly Disbursement[]): Move | undefined =>
  payout.disbursementId === undefined ? undefined : recordBeside(others)(payout);

/**
 * Follows one disbursement under the payout's id or reference. Compares it with the payout itself, so it needs no Evidence.
 *
 * @param others share its reference
 */
export const followOne =
  (disbursement: Disbursement, others: readonly Disbursement[]): Policy =>
  (payout) =>
    decideOne(payout, disbursement) ?? recordOthers(payout, others);

/**
 * Moves a payout to the provider's status, unless the payout has ended. All observations follow this one rule.
 *
 * - A disbursement that differs from the payout quarantines it.
 * - A change that contradicts an end is recorded beside it.
 * - When several share its reference, whether they fit or not, a payout in doubt is quarantined: nobody knows which is its own.
 * - When several share the reference of a payout that should have none, one of them is enough to act on.
 */
export const follow =
  (evidence: Evidence): Policy =>
  (payout) => {
    switch (evidence.kind) {
      case 'fits':
      case 'differs':
        return followOne(evidence.disbursement, evidence.others)(payout);
      case 'several': {
        if (payoutStatusIs(payout.status, 'isInDoubt'))
          return quarantineBecause(
            'several_disbursements',
            'The provider has more than one disbursement with this reference.',
          );
        if (payout.disbursementId !== undefined) return recordOthers(payout, evidence.disbursements);
        // One that may have paid forbids a retry, so it comes before those that gave their money back.
        const [first] = evidence.disbursements;
        const one = evidence.disbursements.find(mayHavePaid) ?? first;
        return one === undefined || payout.status === 'quarantined' ? undefined : decideOne(payout, one);
      }
      case 'absent':
      case 'unknown':
        return undefined;
    }
  };

/**
 * Like `follow`, but for unrequested news from lists: a payout that was quarantined as overdue stays so while it is still pending.
 * Otherwise each look would restart its `followDays`, and its batch would never end.
 */
export const followNews =
  (evidence: Evidence): Policy =>
  (payout) => {
    const isStillOverdue =
      payout.status === 'quarantined' &&
      payout.reason?.code === followedTooLongCode &&
      evidence.kind === 'fits' &&
      evidence.disbursement.status === 'pending';
    return isStillOverdue ? undefined : follow(evidence)(payout);
  };
