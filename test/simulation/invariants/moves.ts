import type { BatchStatus } from '../../../functions/domain/batch/batch-status.ts';

/**
 * Allowed moves of a payout's status, written a second time and apart from functions/domain. The product's own list must not
 * decide whether the product was right.
 */
const payoutMoves: Readonly<Record<string, readonly string[]>> = {
  // `quarantined` when the provider holds a payment with the reference that we did not post.
  ready: ['submitting', 'quarantined', 'rejected', 'canceled'],
  submitting: ['ready', 'unknown', 'quarantined', 'rejected', 'pending', 'on_hold', 'completed', 'failed', 'canceled'],
  unknown: ['ready', 'quarantined', 'rejected', 'pending', 'on_hold', 'completed', 'failed', 'canceled'],
  // `rejected` by an operator who knows that no payment was made.
  quarantined: ['pending', 'on_hold', 'completed', 'failed', 'canceled', 'rejected'],
  pending: ['on_hold', 'quarantined', 'completed', 'failed', 'canceled'],
  on_hold: ['pending', 'quarantined', 'completed', 'failed', 'canceled'],
};

const reported = ['completed', 'partially_completed', 'failed'] as const;
const batchMoves: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  accepted: ['validating', 'paused', 'canceled'],
  // Lack of money may block it at release, so a batch that awaited release becomes `validating` again for a conversion.
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
  // A report may be made again once the open payouts are settled.
  completed: reported,
  partially_completed: reported,
  failed: reported,
  validation_failed: [],
  previewed: [],
  canceled: [],
};

export const mayPayoutMove = (from: string, to: string): boolean => payoutMoves[from]?.includes(to) === true;
export const mayBatchMove = (from: string, to: string): boolean =>
  new Map<string, readonly string[]>(Object.entries(batchMoves)).get(from)?.includes(to) === true;

/** Statuses in which a payout may remain: it ended, or a person has to act. */
export const restingStatuses: readonly string[] = [
  'completed',
  'failed',
  'canceled',
  'rejected',
  'on_hold',
  'quarantined',
];

/** The provider's words that justify each status. */
export const wordsFor: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'pending_retry', 'processed'],
  on_hold: ['need_check'],
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['canceled'],
};
