import { ensureExecution } from '../../batches/start-execution.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import { batchTransitions } from '../../domain/batch/batch-status.ts';
import { withoutSession } from '../../domain/batch/caller.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, settings, workflow } from '../../runtime.ts';
import { conflict } from '../control/conflict.ts';
import { lateApproval, pendingApproval } from '../control/decide-approval.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { summarizeBatch } from '../views/batch-summary.ts';

/**
 * Approves by one conditional write on status and hash, so only one of many concurrent approvals succeeds. The batch's execution
 * then finds the approval and continues. A repeated approval by the same person gets the same answer.
 */
export const approveBatch = async (
  dependencies: Needs<
    { ledger: 'getBatch' | 'moveBatch' | 'beginExecution'; settings: 'approvers' },
    'workflow' | 'clock'
  >,
  { path: { batchId }, caller, body }: Pick<RequestOf<typeof operations.approveBatch>, 'path' | 'caller' | 'body'>,
): Promise<OutcomeOf<typeof operations.approveBatch>> => {
  const { ledger, workflow, settings, clock } = dependencies;
  const { hash, reason } = body;
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  const isDone = ({ approval }: Batch): boolean =>
    approval?.hash === hash && withoutSession(approval.approved?.by ?? '') === withoutSession(caller);
  const underWay = async (approved: Batch) => {
    const hasContinued = approved.status !== batchTransitions.approve.to;
    const current = hasContinued ? approved : await ensureExecution(dependencies, approved, caller);
    return answer(202, summarizeBatch(workflow, current));
  };
  if (isDone(batch)) return underWay(batch);
  const approval = pendingApproval(caller, batch, settings, 'approved');
  if ('kind' in approval) return approval;
  const tooLate = lateApproval(batch, approval, { hash, nowMs: clock() });
  if (tooLate !== undefined) return tooLate;
  const approved = { by: caller, at: isoNow(clock), reason };
  const changes = { approval: { ...approval, approved }, decidingOn: hash };
  const line = { detail: hash, note: reason };
  const moved = await ledger.moveBatch(batchId, batchTransitions.approve, caller, changes, line);
  return moved.kind === 'moved' || isDone(moved.batch) ? underWay(moved.batch) : conflict(moved.batch, 'approved');
};

export const handler = endpoint(log, operations.approveBatch, bind(approveBatch, { ledger, workflow, settings }));
