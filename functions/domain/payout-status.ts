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
  /** Its money has left the balance, or never will: nothing is set aside for it. */
  readonly isSpent?: true;
  /** The provider gives its fee back, or never charged one. */
  readonly isRefunded?: true;
  /** Somebody may want to know since when. */
  readonly isTimed?: true;
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
  on_hold: { isWithProvider: true, isOpen: true, isSpent: true, isTimed: true },
  unknown: { isInDoubt: true, isFollowed: true, isUnfinished: true, isOpen: true, isTimed: true },
  quarantined: { isOpen: true, isTimed: true },
  completed: { isEnd: true, isSpent: true },
  failed: { isEnd: true, isSpent: true, isRefunded: true },
  canceled: { isEnd: true, isSpent: true, isRefunded: true },
  rejected: { isEnd: true, isSpent: true, isRefunded: true },
} as const satisfies Record<string, PayoutStatusRow>;

type Rows = typeof rows;
type Trait = keyof PayoutStatusRow;

/** See functions/domain/PAYOUTS.md for what each means and which moves are allowed. */
export type PayoutStatus = keyof Rows;

/** The statuses whose row names this. */
export type PayoutStatusThat<What extends Trait> = {
  [Status in PayoutStatus]: Rows[Status] extends Readonly<Record<What, true>> ? Status : never;
}[PayoutStatus];

const isStatus = (name: string): name is PayoutStatus => name in rows;

export const payoutStatuses: readonly PayoutStatus[] = Object.keys(rows).filter(isStatus);

/** Whether a status is this. */
export const payoutStatusIs = <What extends Trait>(
  status: PayoutStatus,
  what: What,
): status is PayoutStatusThat<What> => {
  const row: PayoutStatusRow = rows[status];
  return row[what] === true;
};

/** Every status that is this. */
export const payoutStatusesThat = <What extends Trait>(what: What): readonly PayoutStatusThat<What>[] =>
  payoutStatuses.filter((status) => payoutStatusIs(status, what));

/** Every status that something may still change. */
export const payoutStatusesBeforeAnEnd: readonly PayoutStatus[] = payoutStatuses.filter(
  (status) => !payoutStatusIs(status, 'isEnd'),
);
