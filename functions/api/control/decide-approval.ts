import type { Approval, Batch } from '../../domain/batch/batch.ts';
import { awaitsDecision } from '../../domain/batch/batch-status.ts';
import { consoleCaller, isAmong, mayDecideOn, whyNotDeciding } from '../../domain/batch/caller.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import { conflict } from './conflict.ts';

/** The console does not identify its user, so only a list of approvers keeps that person from approving their own batch. */
const consoleNeedsApprovers =
  'The batch was started in the console. Name its approvers in the setting orchestrator.approvers, deploy, and let one of them decide.';

/** The pending approval, if the caller may decide it. Otherwise the problem. */
export const pendingApproval = (
  caller: string,
  batch: Batch,
  { approvers }: Pick<OrchestratorSettings, 'approvers'>,
  wanted: 'approved' | 'rejected',
): Approval | Problem<'own_batch' | 'not_an_approver' | 'status_conflict'> => {
  const { batchId, createdBy, approval } = batch;
  if (!awaitsDecision(batch) || approval === undefined) return conflict(batch, wanted);
  if (!mayDecideOn(caller, createdBy))
    return problem('own_batch', { batchId, detail: whyNotDeciding(caller, createdBy) });
  if (createdBy === consoleCaller && approvers.length === 0)
    return problem('not_an_approver', { batchId, detail: consoleNeedsApprovers });
  if (approvers.length > 0 && !isAmong(caller, approvers)) return problem('not_an_approver', { batchId });
  return approval;
};

/** The pending approval, if the caller may approve it now and has seen this hash. Otherwise the problem. */
export const approvalByHash = (
  caller: string,
  batch: Batch,
  settings: Pick<OrchestratorSettings, 'approvers'>,
  { hash, nowMs }: { readonly hash: string; readonly nowMs: number },
): ReturnType<typeof pendingApproval> | Problem<'approval_void' | 'approval_expired'> => {
  const { batchId } = batch;
  const approval = pendingApproval(caller, batch, settings, 'approved');
  if ('kind' in approval) return approval;
  if (approval.hash !== hash) return problem('approval_void', { batchId, detail: `The hash is now ${approval.hash}.` });
  const { expiresAt } = approval;
  return expiresAt === undefined || nowMs >= Date.parse(expiresAt)
    ? problem('approval_expired', { batchId })
    : approval;
};
