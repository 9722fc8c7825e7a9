import type { Batch } from '../../domain/batch/batch.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

type Wanted = 'paused' | 'resumed' | 'canceled' | 'approved' | 'rejected';

/** The answer to an action that the batch's present state does not allow. */
export const statusConflict = ({ batchId, status: batchStatus }: Batch, detail: string): Problem<'status_conflict'> =>
  problem('status_conflict', { batchId, batchStatus, detail });

/** The answer to an action that the batch's status does not allow. */
export const conflict = (batch: Batch, wanted: Wanted): Problem<'status_conflict'> => {
  const { status, approval, cancelRequestedAt } = batch;
  // Who approved the batch explains only why it can be neither approved nor rejected.
  const approver = wanted === 'approved' || wanted === 'rejected' ? approval?.approved?.by : undefined;
  const approved = approver === undefined ? '' : `was approved by ${approver} and `;
  const canceling = cancelRequestedAt === undefined ? '' : ' Its cancellation was requested.';
  return statusConflict(batch, `The batch ${approved}is ${status}.${canceling} It cannot be ${wanted}.`);
};
