import type { Batch } from '../../domain/batch.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

/** The answer to something that a batch's status does not allow. */
export const conflict = (batch: Batch, wanted: 'paused' | 'resumed' | 'canceled'): Problem => {
  const canceling = batch.cancelRequestedAt === undefined ? '' : ' and its cancellation was requested';
  return problem('status_conflict', {
    batchId: batch.batchId,
    batchStatus: batch.status,
    detail: `The batch is ${batch.status}${canceling}: it cannot be ${wanted}.`,
  });
};
