import type { BatchStatus } from '../../domain/batch/batch-status.ts';
import { batchStatusIs } from '../../domain/batch/batch-status.ts';
import type { PayoutStatus } from '../../domain/payout/payout-status.ts';
import { payoutStatusesThat, payoutStatusIs } from '../../domain/payout/payout-status.ts';
import { retryableStatuses } from '../../domain/payout/retries.ts';

/**
 * Colors, always shown beside a word. `waits`: it waits, perhaps for a person. In the bar, paid and failed payouts come first, then
 * those that wait or are under way. Ready and canceled ones are last.
 */
export const tones = ['good', 'bad', 'waits', 'active', 'quiet'] as const;
export type Tone = (typeof tones)[number];

/** Colors of ends, which permissions cannot tell apart. Other statuses get theirs from what they permit. */
const toneOfEnd: Partial<Record<BatchStatus, Tone>> = {
  completed: 'good',
  partially_completed: 'waits',
  failed: 'bad',
  validation_failed: 'bad',
};

/** The color of a batch's status. */
export const toneOfBatch = (status: BatchStatus): Tone => {
  const end = toneOfEnd[status];
  if (end !== undefined) return end;
  const waits = (['isPaused', 'awaitsFunds', 'awaitsApproval'] as const).some((what) => batchStatusIs(status, what));
  if (waits) return 'waits';
  return batchStatusIs(status, 'mayClaim') ? 'active' : 'quiet';
};

/** Statuses of payouts whose recipient has been paid. */
export const paidStatuses: readonly PayoutStatus[] = payoutStatusesThat('isEnd').filter(
  (status) => !payoutStatusIs(status, 'endsUnpaid'),
);

/** Statuses of payouts that ended and paid nobody. */
export const unpaidStatuses: readonly PayoutStatus[] = payoutStatusesThat('endsUnpaid');

/**
 * The color of a payout's status. One that is being submitted is active: nobody doubts it yet. A canceled one is no failure, even
 * when the provider canceled it.
 */
export const toneOfPayout = (status: PayoutStatus): Tone => {
  if (paidStatuses.includes(status)) return 'good';
  if (payoutStatusIs(status, 'endsUnpaid')) return retryableStatuses.includes(status) ? 'bad' : 'quiet';
  if (payoutStatusIs(status, 'isInDoubt')) return status === 'submitting' ? 'active' : 'waits';
  if (payoutStatusIs(status, 'isUnfinished')) return payoutStatusIs(status, 'isOpen') ? 'active' : 'quiet';
  return 'waits';
};
