import type { Batch } from '../../domain/batch/batch.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

/** The answer to an action that the batch's status does not allow. */
export const conflict = (
  batch: Batch,
  wanted: 'paused' | 'resumed' | 'canceled' | 'approved' | 'rejected',
): Problem => {
  const approved = batch.approval?.approved === undefined ? '' : `, ${batch.approval.approved.by} approved it`;
  const canceling = batch.cancelRequestedAt === undefined ? '' : ' and its cancellation was requested';
  return problem('status_conflict', {
    batchId: batch.batchId,
    batchStatus: batch.status,
    detail: `The batch is ${batch.status}${approved}${canceling}: it cannot be ${wanted}.`,
  });
};
