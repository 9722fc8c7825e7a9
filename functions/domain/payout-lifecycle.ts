import type { PayoutStatus } from './payout-status.ts';
import { payoutStatusesThat, payoutStatusIs } from './payout-status.ts';

/** One allowed change of a payout's status. The ledger's condition expression is made from it, nothing else may write one. */
export interface PayoutTransition {
  readonly name: string;
  readonly from: readonly PayoutStatus[];
  readonly to: PayoutStatus;
}

const transition = (name: string, from: readonly PayoutStatus[], to: PayoutStatus): PayoutTransition => ({
  name,
  from,
  to,
});

/** The provider may hold a disbursement that has not ended, or may turn out to hold one. */
const open = payoutStatusesThat('isOpen');
const inDoubt = payoutStatusesThat('isInDoubt');

/**
 * Every change of a payout's status, by name. Statuses only move upwards: nothing leaves an end, nothing that the
 * provider has acknowledged goes back to `ready`.
 */
export const payoutTransitions = {
  /** A call claims the payout, in the same transaction that writes the call. */
  claim: transition('claim', ['ready'], 'submitting'),
  /** The connection never opened: the permit is returned. */
  release: transition('release', ['submitting'], 'ready'),
  /** The provider does not know the reference, proven as often as the rules ask; it may be submitted once more. */
  provenAbsent: transition('provenAbsent', inDoubt, 'ready'),
  /** The outcome of the call is not known. */
  loseSight: transition('loseSight', ['submitting'], 'unknown'),
  /** What was found contradicts the file, or nothing can be proven: a person must decide. */
  quarantine: transition('quarantine', ['submitting', 'unknown', 'pending', 'on_hold'], 'quarantined'),
  /** The provider holds a disbursement with the reference although nothing of ours is posted: posting could pay twice. */
  quarantineUnposted: transition('quarantineUnposted', ['ready'], 'quarantined'),
  /** The provider refused the payout before creating anything, or another payout of ours holds its reference. */
  reject: transition('reject', ['ready', 'submitting', 'unknown'], 'rejected'),
  /** The batch was canceled before the payout was claimed. */
  cancelUnclaimed: transition('cancelUnclaimed', ['ready'], 'canceled'),
  /** The provider says it is under way. */
  observePending: transition('observePending', ['submitting', 'unknown', 'quarantined', 'on_hold'], 'pending'),
  /** The provider holds it for a check. */
  observeOnHold: transition('observeOnHold', ['submitting', 'unknown', 'quarantined', 'pending'], 'on_hold'),
  observeCompleted: transition('observeCompleted', open, 'completed'),
  observeFailed: transition('observeFailed', open, 'failed'),
  observeCanceled: transition('observeCanceled', open, 'canceled'),
  /** An operator decided, and the provider knows nothing of it: it may be paid again, under a new reference. */
  settleNotPaid: transition('settleNotPaid', ['quarantined'], 'rejected'),
  /** An operator vouches that it was paid. */
  settlePaid: transition('settlePaid', ['quarantined'], 'completed'),
  /** An operator gives it up: it ends, and nothing pays it again. */
  writeOff: transition('writeOff', ['quarantined'], 'failed'),
} as const satisfies Record<string, PayoutTransition>;

/** What the provider can say of a disbursement, in our words. */
export const observedStatuses = ['pending', 'on_hold', 'completed', 'failed', 'canceled'] as const;
export type ObservedStatus = (typeof observedStatuses)[number];

const observations = {
  pending: payoutTransitions.observePending,
  on_hold: payoutTransitions.observeOnHold,
  completed: payoutTransitions.observeCompleted,
  failed: payoutTransitions.observeFailed,
  canceled: payoutTransitions.observeCanceled,
} as const satisfies Record<ObservedStatus, PayoutTransition>;

/** True for a status that nothing may change any more. */
export const isEnd = (status: PayoutStatus): boolean => payoutStatusIs(status, 'isEnd');

export type Merge =
  | { readonly kind: 'move'; readonly transition: PayoutTransition }
  | { readonly kind: 'keep' }
  /** The provider changed its word after an end, or never should have created it: the status stays, it is recorded. */
  | { readonly kind: 'contradicted' };

/**
 * Decides what an observation of the provider does to a payout. Merges upwards only: an end is never overwritten, and
 * an observation that differs from an end contradicts it. One that nothing was posted for (`ready`) has nothing to merge: see
 * `quarantineUnposted`.
 */
export const mergeObservation = (current: Exclude<PayoutStatus, 'ready'>, observed: ObservedStatus): Merge => {
  if (current === observed) return { kind: 'keep' };
  if (current === 'rejected') return { kind: 'contradicted' };
  // A late writer may still carry an older word: only a different end contradicts an end.
  if (isEnd(current))
    return observed === 'pending' || observed === 'on_hold' ? { kind: 'keep' } : { kind: 'contradicted' };
  return { kind: 'move', transition: observations[observed] };
};
