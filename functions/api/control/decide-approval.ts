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

/** Why this person may not decide on the batch, whatever its status. Undefined if they may. */
export const notTheDecider = (
  caller: string,
  { batchId, createdBy }: Pick<Batch, 'batchId' | 'createdBy'>,
  { approvers }: Pick<OrchestratorSettings, 'approvers'>,
): Problem<'own_batch' | 'not_an_approver'> | undefined => {
  if (!mayDecideOn(caller, createdBy))
    return problem('own_batch', { batchId, detail: whyNotDeciding(caller, createdBy) });
  if (createdBy === consoleCaller && approvers.length === 0)
    return problem('not_an_approver', { batchId, detail: consoleNeedsApprovers });
  if (approvers.length > 0 && !isAmong(caller, approvers)) return problem('not_an_approver', { batchId });
  return undefined;
};

/** Why the pending approval can no longer be given for this hash. Undefined if it can. */
export const lateApproval = (
  { batchId }: Pick<Batch, 'batchId'>,
  { hash: pending, expiresAt }: Approval,
  { hash, nowMs }: { readonly hash: string; readonly nowMs: number },
): Problem<'approval_void' | 'approval_expired'> | undefined => {
  if (pending !== hash) return problem('approval_void', { batchId, detail: `The hash is now ${pending}.` });
  const isOpen = expiresAt !== undefined && nowMs < Date.parse(expiresAt);
  return isOpen ? undefined : problem('approval_expired', { batchId });
};

/** The pending approval, if the caller may decide it. Otherwise the problem. */
export const pendingApproval = (
  caller: string,
  batch: Batch,
  settings: Pick<OrchestratorSettings, 'approvers'>,
  wanted: 'approved' | 'rejected',
): Approval | Problem<'own_batch' | 'not_an_approver' | 'status_conflict'> =>
  awaitsDecision(batch) && batch.approval !== undefined
    ? (notTheDecider(caller, batch, settings) ?? batch.approval)
    : conflict(batch, wanted);
