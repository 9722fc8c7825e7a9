/**
 * The moves that a payout's status may make, written down here a second time and apart from functions/domain: what the
 * product believes to be allowed must not decide whether it was right.
 */
const payoutMoves: Readonly<Record<string, readonly string[]>> = {
  // `quarantined` when the provider holds something with the reference that nobody posted.
  ready: ['submitting', 'quarantined', 'rejected', 'canceled'],
  submitting: ['ready', 'unknown', 'quarantined', 'rejected', 'pending', 'on_hold', 'completed', 'failed', 'canceled'],
  unknown: ['ready', 'quarantined', 'rejected', 'pending', 'on_hold', 'completed', 'failed', 'canceled'],
  // `rejected` by an operator who knows that it was never made.
  quarantined: ['pending', 'on_hold', 'completed', 'failed', 'canceled', 'rejected'],
  pending: ['on_hold', 'quarantined', 'completed', 'failed', 'canceled'],
  on_hold: ['pending', 'quarantined', 'completed', 'failed', 'canceled'],
};

const reported = ['completed', 'partially_completed', 'failed'];
const batchMoves: Readonly<Record<string, readonly string[]>> = {
  accepted: ['validating', 'paused', 'canceled'],
  // Money may be in its way when it is released, so a batch that awaited it is `validating` again for a conversion.
  validating: [
    'scheduled',
    'validation_failed',
    'previewed',
    'pending_approval',
    'awaiting_funds',
    'processing',
    'paused',
    'canceled',
  ],
  scheduled: ['validating', 'paused', 'canceled'],
  pending_approval: ['validating', 'processing', 'validation_failed', 'paused', 'canceled'],
  awaiting_funds: ['validating', 'validation_failed', 'pending_approval', 'processing', 'paused', 'canceled'],
  processing: ['paused', 'canceled', ...reported],
  paused: ['validating', 'awaiting_funds', 'processing', 'canceled', ...reported],
  // A report may be made again when what was open has been settled.
  completed: reported,
  partially_completed: reported,
  failed: reported,
};

export const mayPayoutMove = (from: string, to: string): boolean => payoutMoves[from]?.includes(to) === true;
export const mayBatchMove = (from: string, to: string): boolean => batchMoves[from]?.includes(to) === true;

/** Statuses in which a payout may stay: its end, or a person's hands. */
export const restingStatuses: readonly string[] = [
  'completed',
  'failed',
  'canceled',
  'rejected',
  'on_hold',
  'quarantined',
];

/** The provider's words that make each status true. */
export const wordsFor: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'pending_retry', 'processed'],
  on_hold: ['need_check'],
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['canceled'],
};
