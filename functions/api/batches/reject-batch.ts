import { giveBackReservation } from '../../batches/reservation.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import { batchTransitions, isRejected, rejectedByPerson } from '../../domain/batch/batch-status.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, settings, workflow } from '../../runtime.ts';
import { conflict } from '../control/conflict.ts';
import { notTheDecider, pendingApproval } from '../control/decide-approval.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

/** Ends the batch and gives back its reservations. Its execution finds it ended. */
export const rejectBatch = async (
  dependencies: Needs<{
    ledger: 'getBatch' | 'moveBatch' | 'readFunds' | 'reserve';
    workflow: 'consoleUrl';
    settings: 'approvers' | 'conversionSources';
  }>,
  { path: { batchId }, caller, body }: Pick<RequestOf<typeof operations.rejectBatch>, 'path' | 'caller' | 'body'>,
): Promise<OutcomeOf<typeof operations.rejectBatch>> => {
  const { ledger, workflow, settings } = dependencies;
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  // A repeated rejection gives back what an earlier failed one left.
  const giveBack = async (rejected: Batch) => {
    await giveBackReservation(dependencies, rejected);
    return answer(200, summarizeBatch(workflow, rejected));
  };
  if (isRejected(batch)) return notTheDecider(caller, batch, settings) ?? giveBack(batch);
  const approval = pendingApproval(caller, batch, settings, 'rejected');
  if ('kind' in approval) return approval;
  const changes = { reason: rejectedByPerson, decidingOn: approval.hash };
  const line = { detail: rejectedByPerson.code, note: body.reason };
  const moved = await ledger.moveBatch(batchId, batchTransitions.reject, caller, changes, line);
  // Another person may have rejected it first.
  return isRejected(moved.batch) ? giveBack(moved.batch) : conflict(moved.batch, 'rejected');
};

export const handler = endpoint(log, operations.rejectBatch, bind(rejectBatch, { ledger, workflow, settings }));
