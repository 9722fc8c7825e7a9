import type { Batch } from './batch.ts';
import { isBatchEnd } from './batch-lifecycle.ts';
import { batchStatusIs } from './batch-status.ts';

export type Permission = 'may_submit' | 'paused' | 'canceled';

/** Whether a batch may claim calls, as the claim's own condition will judge it. */
export const permissionOf = (batch: Pick<Batch, 'status' | 'cancelRequestedAt'>): Permission => {
  if (batch.cancelRequestedAt !== undefined || batch.status === 'canceled') return 'canceled';
  return batchStatusIs(batch.status, 'mayClaim') ? 'may_submit' : 'paused';
};

/** True once payouts may have been registered: from then on only their ends, and a report, end the batch. */
export const hasBegunDisbursing = (batch: Pick<Batch, 'status' | 'resumeTo'>): boolean =>
  batchStatusIs(batch.status, 'mayClaim') ||
  (batchStatusIs(batch.status, 'isPaused') &&
    batch.resumeTo !== undefined &&
    batchStatusIs(batch.resumeTo, 'mayClaim'));

/** Whether a batch that is not disbursing yet may reserve or convert: `stopped` while paused, `ended` for good. */
export const permissionToMoveMoney = (
  batch: Pick<Batch, 'status' | 'cancelRequestedAt'>,
): 'granted' | 'stopped' | 'ended' => {
  if (batch.cancelRequestedAt !== undefined || isBatchEnd(batch.status)) return 'ended';
  return batchStatusIs(batch.status, 'isPaused') ? 'stopped' : 'granted';
};
