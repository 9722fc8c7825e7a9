import type { Batch } from '../../domain/batch/batch.ts';
import { awaitsDecision, batchStatusIs, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { whyNobodyDecides } from '../../domain/batch/caller.ts';
import { isTooOldToPay } from '../../domain/batch/payable-until.ts';
import type { Action } from '../schemas/batch.ts';
import type { LeftoverWork } from './leftover-work.ts';
import { hasNothingLeft } from './leftover-work.ts';

/** After a cancellation request nothing more may be claimed, so there is nothing to pause or resume. */
const isCanceling = (batch: Batch): boolean => batch.cancelRequestedAt !== undefined;

/** True while a pause would change the batch: its status allows one, and no cancellation was requested. */
export const canPause = (batch: Batch): boolean => !isCanceling(batch) && batchStatusIs(batch.status, 'mayPause');

/** True for ended batches whose report may be written again, because payouts may have been open when it was written. */
export const mayReportAgain = ({ status, report }: Pick<Batch, 'status' | 'report'>): boolean =>
  isBatchEnd(status) && (batchStatusIs(status, 'mayReport') || report !== undefined);

/** True while the batch writes its reports again by itself, so nobody has to resume it for that. */
export const reportsByItself = (batch: Pick<Batch, 'status' | 'report' | 'executionEnded'>): boolean =>
  !mayReportAgain(batch) && batch.executionEnded !== true;

/** What to do with a batch that is too old to be resumed. Canceled rows keep their references. */
export const adviceOnTooOld = 'Cancel it, and pay what is unpaid with a new file, under new references.';

/** True for a batch that nothing continues by itself. */
const isStopped = ({ status, executionEnded }: Batch): boolean =>
  !isBatchEnd(status) && (batchStatusIs(status, 'isPaused') || executionEnded === true);

/** True for a stopped batch whose resumption could pay debts that another batch has paid unnoticed. */
export const isTooOldToResume = (batch: Batch, nowMs: number): boolean =>
  isStopped(batch) && isTooOldToPay(batch, nowMs);

/** True when resuming would change the batch: it is paused, its workflow has died, or it ended with work left. */
export const canResume = (batch: Batch, leftover: LeftoverWork, nowMs: number): boolean => {
  if (mayReportAgain(batch)) return !hasNothingLeft(leftover);
  return isStopped(batch) && !isCanceling(batch) && !isTooOldToPay(batch, nowMs);
};

/** A batch that is being canceled can be canceled again if its workflow died: it then gets a new workflow. */
const canCancel = (batch: Batch): boolean =>
  !isBatchEnd(batch.status) && (!isCanceling(batch) || batch.executionEnded === true);

/** The actions that would change something. Approving and rejecting require a person other than the starter. */
export const allowedActions = (batch: Batch, leftover: LeftoverWork, nowMs: number): Action[] => [
  ...(canPause(batch) ? (['pause'] as const) : []),
  ...(canResume(batch, leftover, nowMs) ? (['resume'] as const) : []),
  ...(awaitsDecision(batch) && whyNobodyDecides(batch.createdBy) === undefined ? (['approve', 'reject'] as const) : []),
  ...(canCancel(batch) ? (['cancel'] as const) : []),
];
