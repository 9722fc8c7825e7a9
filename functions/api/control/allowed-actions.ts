import type { Batch } from '../../domain/batch.ts';
import { batchTransitions, isBatchEnd } from '../../domain/batch-lifecycle.ts';
import type { ChunkRecord } from '../../domain/chunk.ts';
import type { PayoutStatus } from '../../domain/payout.ts';
import type { Action } from '../schemas/batch.ts';

/** Statuses that a later look at the provider may still move. `ready` is not one: an ended batch submits nothing. */
const open: readonly PayoutStatus[] = ['submitting', 'unknown', 'pending', 'on_hold', 'quarantined'];

/** How many payouts of these chunks have not come to an end. */
export const countOpen = (chunks: readonly Pick<ChunkRecord, 'tallies'>[]): number =>
  chunks.reduce((sum, { tallies }) => sum + open.reduce((part, status) => part + (tallies[status]?.count ?? 0), 0), 0);

/** Nothing more may be claimed once a cancelation was asked for, so there is nothing to pause or resume. */
const isCanceling = (batch: Batch): boolean => batch.cancelRequestedAt !== undefined;

export const canPause = (batch: Batch): boolean =>
  !isCanceling(batch) && batchTransitions.pause.from.some((status) => status === batch.status);

/** Ends whose report may be made again, since payouts may have been open when it was made. */
export const isReported = (batch: Batch): boolean =>
  batch.status === 'completed' || batch.status === 'partially_completed' || batch.status === 'failed';

export const canResume = (batch: Batch, openPayouts: number): boolean => {
  if (isReported(batch)) return openPayouts > 0;
  if (isBatchEnd(batch.status) || isCanceling(batch)) return false;
  return batch.status === 'paused' || batch.executionEnded === true;
};

export const canCancel = (batch: Batch): boolean => !(isBatchEnd(batch.status) || isCanceling(batch));

/** What an operator can do next that would change something. */
export const allowedActions = (batch: Batch, openPayouts: number): Action[] => [
  ...(canPause(batch) ? (['pause'] as const) : []),
  ...(canResume(batch, openPayouts) ? (['resume'] as const) : []),
  ...(canCancel(batch) ? (['cancel'] as const) : []),
];
