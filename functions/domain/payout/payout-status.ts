/** What a status of a payout means. What a row does not name it is not. */
interface PayoutStatusRow {
  /** Nothing changes it any more. */
  readonly isEnd?: true;
  /** Claimed by a call of which no answer tells what became of it. */
  readonly isInDoubt?: true;
  /** The provider acknowledged it, and may end it. */
  readonly isWithProvider?: true;
  /** The provider may end it by itself, so it is given up when it has not after days. */
  readonly isFollowed?: true;
  /** It neither ended nor rests where a person must act: a batch does not end before it. */
  readonly isUnfinished?: true;
  /** A later look at the provider may move it, also in a batch that has ended. */
  readonly isOpen?: true;
  /** Its money has left the balance, or no call will ask for it any more: nothing is set aside for it. */
  readonly isSpent?: true;
  /** The provider gives its fee back, or never charged one. */
  readonly isRefunded?: true;
  /** Somebody may want to know since when. */
  readonly isTimed?: true;
  /** A person should know of each that comes to it: an event tells. */
  readonly isTold?: true;
}

/** The one table of payout statuses: transitions, sums, reservations, what is followed and what waits derive from it. */
const rows = {
  ready: { isUnfinished: true, isTimed: true },
  submitting: { isInDoubt: true, isFollowed: true, isUnfinished: true, isOpen: true },
  pending: {
    isWithProvider: true,
    isFollowed: true,
    isUnfinished: true,
    isOpen: true,
    isSpent: true,
    isTimed: true,
  },
  on_hold: { isWithProvider: true, isOpen: true, isSpent: true, isTimed: true, isTold: true },
  unknown: { isInDoubt: true, isFollowed: true, isUnfinished: true, isOpen: true, isTimed: true },
  quarantined: { isOpen: true, isSpent: true, isTimed: true, isTold: true },
  completed: { isEnd: true, isSpent: true },
  failed: { isEnd: true, isSpent: true, isRefunded: true },
  canceled: { isEnd: true, isSpent: true, isRefunded: true },
  rejected: { isEnd: true, isSpent: true, isRefunded: true },
} as const satisfies Record<string, PayoutStatusRow>;

type Rows = typeof rows;
type Trait = keyof PayoutStatusRow;

/** See functions/domain/payout/PAYOUTS.md for what each means and which moves are allowed. */
export type PayoutStatus = keyof Rows;

export type PayoutStatusThat<What extends Trait> = {
  [Status in PayoutStatus]: Rows[Status] extends Readonly<Record<What, true>> ? Status : never;
}[PayoutStatus];

export const payoutStatuses = Object.keys(rows).filter((name): name is PayoutStatus => name in rows);

export const payoutStatusIs = <What extends Trait>(
  status: PayoutStatus,
  what: What,
): status is PayoutStatusThat<What> => {
  const row: PayoutStatusRow = rows[status];
  return row[what] === true;
};

export const payoutStatusesThat = <What extends Trait>(what: What): readonly PayoutStatusThat<What>[] =>
  payoutStatuses.filter((status) => payoutStatusIs(status, what));

export const payoutStatusesBeforeAnEnd: readonly PayoutStatus[] = payoutStatuses.filter(
  (status) => !payoutStatusIs(status, 'isEnd'),
);

/** One allowed change of a payout's status. The ledger's condition expression is made from it, nothing else may write one. */
export interface PayoutTransition {
  readonly from: readonly PayoutStatus[];
  readonly to: PayoutStatus;
}

/** The provider may hold a disbursement that has not ended, or may turn out to hold one. */
const open = payoutStatusesThat('isOpen');
const inDoubt = payoutStatusesThat('isInDoubt');

/** Statuses only move upwards: nothing leaves an end, nothing that the provider acknowledged goes back to `ready`. */
export const payoutTransitions = {
  /** A call claims the payout, in the same transaction that writes the call. */
  claim: { from: ['ready'], to: 'submitting' },
  /** The connection never opened: the permit is returned. */
  release: { from: ['submitting'], to: 'ready' },
  /** The provider does not know the reference, proven as often as the rules ask; it may be submitted once more. */
  provenAbsent: { from: inDoubt, to: 'ready' },
  /** The outcome of the call is not known. */
  loseSight: { from: ['submitting'], to: 'unknown' },
  /** What was found contradicts the file, or nothing can be proven: a person must decide. */
  quarantine: { from: ['submitting', 'unknown', 'pending', 'on_hold'], to: 'quarantined' },
  /** Nothing of ours is posted, yet the provider holds a disbursement with the reference, or may: posting could pay twice. */
  quarantineUnposted: { from: ['ready'], to: 'quarantined' },
  /** The provider refused the payout before creating anything, or another payout of ours holds its reference. */
  reject: { from: ['ready', 'submitting', 'unknown'], to: 'rejected' },
  /** The batch was canceled before the payout was claimed. */
  cancelUnclaimed: { from: ['ready'], to: 'canceled' },
  /** The provider says it is under way. */
  observePending: { from: ['submitting', 'unknown', 'quarantined', 'on_hold'], to: 'pending' },
  /** The provider holds it for a check. */
  observeOnHold: { from: ['submitting', 'unknown', 'quarantined', 'pending'], to: 'on_hold' },
  observeCompleted: { from: open, to: 'completed' },
  observeFailed: { from: open, to: 'failed' },
  observeCanceled: { from: open, to: 'canceled' },
  /** An operator decided, and the provider knows nothing of it: it may be paid again, under a new reference. */
  settleNotPaid: { from: ['quarantined'], to: 'rejected' },
  /** An operator vouches that it was paid. */
  settlePaid: { from: ['quarantined'], to: 'completed' },
  /** An operator gives it up: it ends, and nothing pays it again. */
  writeOff: { from: ['quarantined'], to: 'failed' },
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
