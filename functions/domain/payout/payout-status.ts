/** What a payout status means. An absent field counts as false. */
interface PayoutStatusRow {
  /** Nothing changes it anymore. */
  readonly isEnd?: true;
  /** Claimed by a call whose outcome is unknown. */
  readonly isInDoubt?: true;
  /** The provider acknowledged it, and may end it. */
  readonly isWithProvider?: true;
  /** Follow keeps asking about it. It is quarantined once it has not changed for `followDays`. */
  readonly isFollowed?: true;
  /** It has not ended, and no person must act. The batch does not end before it. */
  readonly isUnfinished?: true;
  /** A later look at the provider may move it, even in an ended batch. */
  readonly isOpen?: true;
  /** Its money has left the balance, or no call will claim it anymore. No money is reserved for it. */
  readonly isSpent?: true;
  /** Ended without a recorded payment. A reason or a contradiction may say otherwise: see `endedUnpaid` in retries.ts. */
  readonly endsUnpaid?: true;
  /** The ledger keeps since when it has had this status. */
  readonly isTimed?: true;
  /** A person should know of every payout that reaches it. An event is published. */
  readonly isNews?: true;
}

/**
 * The one table of payout statuses. Transitions, sums and reservations derive from it, and so does which payouts are followed or
 * wait.
 */
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
  on_hold: { isWithProvider: true, isOpen: true, isSpent: true, isTimed: true, isNews: true },
  unknown: { isInDoubt: true, isFollowed: true, isUnfinished: true, isOpen: true, isTimed: true },
  quarantined: { isOpen: true, isSpent: true, isTimed: true, isNews: true },
  completed: { isEnd: true, isSpent: true },
  failed: { isEnd: true, isSpent: true, endsUnpaid: true },
  canceled: { isEnd: true, isSpent: true, endsUnpaid: true },
  rejected: { isEnd: true, isSpent: true, endsUnpaid: true },
} as const satisfies Record<string, PayoutStatusRow>;

type Rows = typeof rows;
type Trait = keyof PayoutStatusRow;

/** functions/domain/payout/PAYOUTS.md explains each status and its allowed moves. */
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

/** Statuses of payouts that the provider does not have, as far as known. They are submitted, perhaps again, or found. */
export const payoutStatusesNotAtProvider = ['ready', ...payoutStatusesThat('isInDoubt')] as const;

export const payoutStatusesBeforeAnEnd: readonly PayoutStatus[] = payoutStatuses.filter(
  (status) => !payoutStatusIs(status, 'isEnd'),
);

/**
 * One allowed change of a payout's status. The ledger builds its condition from it. Only registration writes a first status:
 * `ready`, or `rejected` for a taken reference.
 */
export interface PayoutTransition {
  readonly from: readonly PayoutStatus[];
  readonly to: PayoutStatus;
}

/** Statuses in which the provider may hold a disbursement that has not ended, or may turn out to hold one. */
const open = payoutStatusesThat('isOpen');
const inDoubt = payoutStatusesThat('isInDoubt');

/** Nothing leaves an end, and a payout that the provider acknowledged never returns to `ready`. */
export const payoutTransitions = {
  /** A call claims the payout, in the transaction that writes the call. */
  claim: { from: ['ready'], to: 'submitting' },
  /** The connection never opened, so the claim is returned. */
  returnClaim: { from: ['submitting'], to: 'ready' },
  /** The provider does not know the reference, proven as often as the rules require. The payout may be submitted once more. */
  provenAbsent: { from: inDoubt, to: 'ready' },
  /** The outcome of the call is unknown. */
  loseSight: { from: ['submitting'], to: 'unknown' },
  /** The record contradicts the file, nothing can be proven, or nothing changed for `followDays`. A person must decide. */
  quarantine: { from: ['submitting', 'unknown', 'pending', 'on_hold'], to: 'quarantined' },
  /** No call claims the payout, but the provider has, or may have, a disbursement with the reference. A POST could pay twice. */
  quarantineUnposted: { from: ['ready'], to: 'quarantined' },
  /** The provider refused the payout before creating anything, or its original must not be retried. */
  reject: { from: ['ready', 'submitting', 'unknown'], to: 'rejected' },
  /** The batch was canceled before the payout was claimed. */
  cancelUnclaimed: { from: ['ready'], to: 'canceled' },
  /** The provider is working on it. */
  observePending: { from: ['submitting', 'unknown', 'quarantined', 'on_hold'], to: 'pending' },
  /** The provider holds it for a check. */
  observeOnHold: { from: ['submitting', 'unknown', 'quarantined', 'pending'], to: 'on_hold' },
  observeCompleted: { from: open, to: 'completed' },
  observeFailed: { from: open, to: 'failed' },
  observeCanceled: { from: open, to: 'canceled' },
  /**
   * An operator decided that it was not paid, and the provider does not know it or gave its money back. It may be paid again,
   * under a new reference.
   */
  settleNotPaid: { from: ['quarantined'], to: 'rejected' },
  /** An operator confirms that it was paid. */
  settlePaid: { from: ['quarantined'], to: 'completed' },
  /** An operator gives it up. It ends, and nothing pays it again. */
  writeOff: { from: ['quarantined'], to: 'failed' },
} as const satisfies Record<string, PayoutTransition>;

/** The provider's possible statuses of a disbursement, in our words. */
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

type Merge =
  | { readonly kind: 'move'; readonly transition: PayoutTransition }
  | { readonly kind: 'keep' }
  /**
   * The provider changed its status after an end, or should never have created it. The status stays, and the contradiction is
   * recorded.
   */
  | { readonly kind: 'contradicted' };

/**
 * Decides how an observation of the provider changes a payout. An end is never overwritten, and a different observation
 * contradicts it. A `ready` payout is excluded: see `quarantineUnposted`.
 */
export const mergeObservation = (current: Exclude<PayoutStatus, 'ready'>, observed: ObservedStatus): Merge => {
  if (current === observed) return { kind: 'keep' };
  if (current === 'rejected') return { kind: 'contradicted' };
  // A late writer may still carry an older observation, so only a different end contradicts an end.
  if (isEnd(current))
    return observed === 'pending' || observed === 'on_hold' ? { kind: 'keep' } : { kind: 'contradicted' };
  return { kind: 'move', transition: observations[observed] };
};
