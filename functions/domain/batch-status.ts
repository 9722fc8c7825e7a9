/** What a status of a batch allows and means. What a row does not name it does not allow. */
interface BatchStatusRow {
  /** Its workflow has nothing more to do. */
  readonly isEnd?: true;
  /** Money may be set aside for it, and converted. */
  readonly mayReserve?: true;
  /** Calls may be claimed: payouts are made. */
  readonly mayClaim?: true;
  /** An operator may pause it. */
  readonly mayPause?: true;
  /** Refused credentials pause it. */
  readonly mayHalt?: true;
  /** Payouts of it may be registered, so their ends, and a report, end it. */
  readonly mayReport?: true;
  /** It stands still until somebody resumes it. */
  readonly isPaused?: true;
  /** It waits for money, and looks for it by itself. */
  readonly awaitsFunds?: true;
}

/** The one table of batch statuses: conditions of the ledger, permissions, actions, attention and the watch derive from it. */
const rows = {
  accepted: {},
  validating: { mayReserve: true, mayHalt: true },
  validation_failed: { isEnd: true },
  previewed: { isEnd: true },
  pending_approval: {},
  awaiting_funds: { mayReserve: true, mayPause: true, mayHalt: true, awaitsFunds: true },
  processing: { mayClaim: true, mayPause: true, mayHalt: true, mayReport: true },
  paused: { isPaused: true, mayReport: true },
  completed: { isEnd: true, mayReport: true },
  partially_completed: { isEnd: true, mayReport: true },
  failed: { isEnd: true, mayReport: true },
  canceled: { isEnd: true },
} as const satisfies Record<string, BatchStatusRow>;

export type BatchStatus = keyof typeof rows;

const isStatus = (name: string): name is BatchStatus => name in rows;

/** In the order in which a batch goes through them. */
export const batchStatuses: readonly BatchStatus[] = Object.keys(rows).filter(isStatus);

/** Whether a status allows, or is, this. */
export const batchStatusIs = (status: BatchStatus, what: keyof BatchStatusRow): boolean => {
  const row: BatchStatusRow = rows[status];
  return row[what] === true;
};

/** Every status that allows, or is, this. */
export const batchStatusesThat = (what: keyof BatchStatusRow): readonly BatchStatus[] =>
  batchStatuses.filter((status) => batchStatusIs(status, what));

/** Every status in which a batch's workflow has something to do. */
export const batchStatusesBeforeAnEnd: readonly BatchStatus[] = batchStatuses.filter(
  (status) => !batchStatusIs(status, 'isEnd'),
);
