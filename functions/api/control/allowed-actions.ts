import type { Batch } from '../../domain/batch/batch.ts';
import { batchStatusIs, isBatchEnd } from '../../domain/batch/batch-status.ts';
import type { Action } from '../schemas/batch.ts';
import type { Unsettled } from './unsettled.ts';
import { isSettled } from './unsettled.ts';

/** Nothing more may be claimed once a cancellation was asked for, so there is nothing to pause or resume. */
const isCanceling = (batch: Batch): boolean => batch.cancelRequestedAt !== undefined;

export const canPause = (batch: Batch): boolean => !isCanceling(batch) && batchStatusIs(batch.status, 'mayPause');

/** Ends whose report may be made again, since payouts may have been open when it was made. */
export const isReported = ({ status, report }: Batch): boolean =>
  isBatchEnd(status) && (batchStatusIs(status, 'mayReport') || report !== undefined);

export const canResume = (batch: Batch, unsettled: Unsettled): boolean => {
  if (isReported(batch)) return !isSettled(unsettled);
  if (isBatchEnd(batch.status) || isCanceling(batch)) return false;
  return batchStatusIs(batch.status, 'isPaused') || batch.executionEnded === true;
};

/** Asked again of a batch whose workflow died on the way, it gives it another one. */
export const canCancel = (batch: Batch): boolean =>
  !isBatchEnd(batch.status) && (!isCanceling(batch) || batch.executionEnded === true);

/** What an operator can do next that would change something. To approve and reject takes another person than the starter. */
export const allowedActions = (batch: Batch, unsettled: Unsettled): Action[] => [
  ...(canPause(batch) ? (['pause'] as const) : []),
  ...(canResume(batch, unsettled) ? (['resume'] as const) : []),
  ...(batchStatusIs(batch.status, 'awaitsApproval') && !isCanceling(batch) ? (['approve', 'reject'] as const) : []),
  ...(canCancel(batch) ? (['cancel'] as const) : []),
];
