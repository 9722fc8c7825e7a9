import type { Batch } from '../../domain/batch/batch.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';

type Wanted = 'paused' | 'resumed' | 'canceled' | 'approved' | 'rejected';

/** Who approved the batch explains only why it can be neither approved nor rejected. */
const describeStatus = ({ status, approval }: Batch, wanted: Wanted): string => {
  const isDecision = wanted === 'approved' || wanted === 'rejected';
  const approver = isDecision ? approval?.approved?.by : undefined;
  return approver === undefined ? `The batch is ${status}.` : `The batch was approved by ${approver} and is ${status}.`;
};

/** The answer to an action that the batch's present state does not allow. */
export const statusConflict = ({ batchId, status: batchStatus }: Batch, detail: string): Problem<'status_conflict'> =>
  problem('status_conflict', { batchId, batchStatus, detail });

/** The answer to an action that the batch's status does not allow. */
export const conflict = (batch: Batch, wanted: Wanted): Problem<'status_conflict'> => {
  const canceling = batch.cancelRequestedAt === undefined ? '' : ' Its cancellation was requested.';
  return statusConflict(batch, `${describeStatus(batch, wanted)}${canceling} It cannot be ${wanted}.`);
};
