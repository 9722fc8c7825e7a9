import type { FoundContradiction, Payout, Reason } from '../domain/payout/payout.ts';
import { changedAfterEndCode, isRecorded, usedTwiceCode } from '../domain/payout/payout.ts';
import type { PayoutStatus, PayoutTransition } from '../domain/payout/payout-status.ts';
import { isEnd, mergeObservation, payoutStatusIs, payoutTransitions } from '../domain/payout/payout-status.ts';
import type { PayoutChanges } from '../ports/ledger/payout-ledger.ts';
import type { Disbursement } from '../ports/provider.ts';
import type { Evidence } from './evidence.ts';
import { anotherDisbursementCode, findDifference } from './evidence.ts';

/** The next thing to write about a payout. */
export type Move =
  | {
      readonly kind: 'move';
      readonly transition: PayoutTransition;
      readonly changes?: PayoutChanges;
      /** Refused once another call has claimed the payout. */
      readonly call?: number | undefined;
      /** Nothing more follows from what is shown now: a person, or a later look, goes on. */
      readonly isLast?: true;
    }
  /** The status stays; what contradicts it is recorded beside it. */
  | { readonly kind: 'record'; readonly found: FoundContradiction }
  /** One more proof that the provider does not know it. */
  | { readonly kind: 'count_absence' };

/** What comes next for a payout as it stands; undefined when nothing is left to write. Pure: it is asked again after each write. */
export type Policy = (payout: Payout) => Move | undefined;

/** Decides nothing: the payout stays as it stands. */
export const leave: Policy = () => undefined;

/** Reason of a payout that was quarantined before it was posted, since the provider holds a disbursement of it. */
export const foundUnpostedCode = 'found_unposted';

/** Reason of a payout that stood as it was for longer than payouts are followed. */
export const followedTooLongCode = 'followed_too_long';

/** What an operator reads beside a status that the provider decided. */
const reasons: Readonly<Partial<Record<Disbursement['status'], Reason>>> = {
  failed: { code: 'provider_failed', message: 'The provider says that the payout failed.' },
  canceled: { code: 'provider_canceled', message: 'The provider says that the payout was canceled.' },
  on_hold: { code: 'provider_need_check', message: 'The provider holds the payout for a check.' },
};

/** @param call refused once another call has claimed the payout */
export const quarantineBecause = (code: string, message: string, call?: number): Move => {
  const changes = { reason: { code, message } };
  return { kind: 'move', transition: payoutTransitions.quarantine, changes, call };
};

/** Undefined where it is recorded already, or is another payout's, as the reference of a duplicate is. */
const record = (payout: Payout, code: string, { disbursementId, status: observed }: Disbursement): Move | undefined => {
  const found = { code, disbursementId, observed };
  return isRecorded(payout, found) || payout.heldBy !== undefined ? undefined : { kind: 'record', found };
};

/**
 * A payout that ended without a disbursement: refused, canceled before it was submitted, given up. One that shows up later
 * may pay after all, whatever it says now. Not so where an operator vouched that it was paid.
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
    const reason = why && { ...why, ...(statusText !== undefined && { providerText: statusText }) };
    return { ...merge, changes: { disbursementId, ...(fee === undefined ? {} : { fee }), ...(reason && { reason }) } };
  }
  if (endedWithoutDisbursement(payout))
    return status === disbursement.status ? undefined : record(payout, 'made_after_all', disbursement);
  return merge.kind === 'keep' ? undefined : record(payout, changedAfterEndCode, disbursement);
};

/** What one disbursement, said to be the payout's, makes of it. */
const decideOne = (payout: Payout, disbursement: Disbursement): Move | undefined => {
  const { status } = payout;
  const difference = findDifference(payout, disbursement);
  if (status === 'ready') {
    const reason = {
      code: difference ?? foundUnpostedCode,
      message: 'The provider holds a disbursement with this reference, although nothing of the payout is posted.',
    };
    // Else the same sight would take it out of quarantine at once, and nobody would learn why it was not posted.
    return { kind: 'move', transition: payoutTransitions.quarantineUnposted, changes: { reason }, isLast: true };
  }
  if (difference === undefined) return takeOver(payout, status, disbursement);
  if (difference === anotherDisbursementCode && disbursement.reference === payout.reference)
    return record(payout, usedTwiceCode, disbursement);
  if (isEnd(status)) return record(payout, difference, disbursement);
  if (status === 'quarantined') return undefined;
  return quarantineBecause(difference, 'What the provider holds for the payout contradicts the payout file.');
};

/**
 * Records what stands under a payout's reference beside its own disbursement.
 *
 * @param ownId which one is its own where no id is known; undefined where none is, by an operator's word
 */
export const recordBeside =
  (shown: readonly Disbursement[], ownId?: string): Policy =>
  (payout) =>
    shown
      .filter(({ reference }) => reference === payout.reference)
      // By what is known now: it may have been settled as another one since it was read.
      .filter(({ disbursementId }) => disbursementId !== (payout.disbursementId ?? ownId))
      .map((other) => record(payout, usedTwiceCode, other))
      .find((move) => move !== undefined);

const recordOthers = (payout: Payout, others: readonly Disbursement[]): Move | undefined =>
  payout.disbursementId === undefined ? undefined : recordBeside(others)(payout);

/**
 * Brings a payout to what the provider says of it, upwards only. Every observation follows this one rule. What differs from
 * the payout quarantines it; what contradicts an end is recorded beside it. Of several disbursements nobody knows which is
 * its own: a payout in doubt is quarantined. Where there should be none, the first of them is enough to act on.
 */
export const follow =
  (evidence: Evidence): Policy =>
  (payout) => {
    switch (evidence.kind) {
      case 'fits':
      case 'differs':
        return decideOne(payout, evidence.disbursement) ?? recordOthers(payout, evidence.others);
      case 'several': {
        if (payoutStatusIs(payout.status, 'isInDoubt'))
          return quarantineBecause(
            'several_disbursements',
            'The provider holds more than one disbursement with this reference.',
          );
        if (payout.disbursementId !== undefined) return recordOthers(payout, evidence.disbursements);
        const [first] = evidence.disbursements;
        return first === undefined || payout.status === 'quarantined' ? undefined : decideOne(payout, first);
      }
      case 'absent':
      case 'unknown':
        return undefined;
    }
  };

/**
 * What lists show, which nobody asked for: as `follow`, but a payout that was given up stays so while it is pending still.
 * Else each look would begin its days anew, and its batch would never end.
 */
export const followNews =
  (evidence: Evidence): Policy =>
  (payout) => {
    const isStillGivenUp =
      payout.status === 'quarantined' &&
      payout.reason?.code === followedTooLongCode &&
      evidence.kind === 'fits' &&
      evidence.disbursement.status === 'pending';
    return isStillGivenUp ? undefined : follow(evidence)(payout);
  };
