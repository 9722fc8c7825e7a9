import type { Approval, Batch } from '../../domain/batch/batch.ts';
import { batchStatusIs } from '../../domain/batch/batch-status.ts';
import { consoleCaller, isAmong, mayDecideOn } from '../../domain/batch/caller.ts';
import type { OrchestratorSettings } from '../../domain/settings.ts';
import type { Problem } from '../http/problem.ts';
import { problem } from '../http/problem.ts';
import { conflict } from './conflict.ts';

/** Who clicked in the console is not known, so only a list of approvers keeps them from deciding on it themselves. */
const nobodyIs =
  'The console started it. Name who approves that in the setting orchestrator.approvers, deploy, and let one of them decide.';

/** What is asked of a person now, if this is somebody who may decide it; else why not. */
export const pendingApproval = (
  caller: string,
  batch: Batch,
  { approvers }: Pick<OrchestratorSettings, 'approvers'>,
  wanted: 'approved' | 'rejected',
): { readonly kind: 'asked'; readonly approval: Approval } | Problem => {
  const { batchId, createdBy, approval } = batch;
  const awaits = batchStatusIs(batch.status, 'awaitsApproval') && batch.cancelRequestedAt === undefined;
  if (!awaits || approval === undefined) return conflict(batch, wanted);
  if (!mayDecideOn(caller, createdBy)) {
    const detail = `${createdBy} started it, and another person decides. Sessions of one role are one person.`;
    return problem('own_batch', { batchId, detail });
  }
  if (createdBy === consoleCaller && approvers.length === 0)
    return problem('not_an_approver', { batchId, detail: nobodyIs });
  if (approvers.length > 0 && !isAmong(caller, approvers)) return problem('not_an_approver', { batchId });
  return { kind: 'asked', approval };
};
