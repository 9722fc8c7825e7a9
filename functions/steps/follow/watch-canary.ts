import type { Batch } from '../../domain/batch/batch.ts';
import { batchTransitions, permissionOf } from '../../domain/batch/batch-status.ts';
import { canaryFailed, judgeCanary, spoilsCanary } from '../../domain/batch/canary.ts';
import { heldByCanary } from '../../domain/batch/canary-hold.ts';
import { formatCount } from '../../domain/money/format-money.ts';
import type { FollowDependencies, Sweep } from './sweep.ts';

/**
 * Lets the payouts after the canary be claimed once all of it is completed, and pauses the batch when one of it is not. Each is one
 * write by the very status that was read before the records, so a late sweep undoes nothing that a person decided. Answers the batch
 * as it then stands.
 */
export const watchCanary = async (
  { ledger, settings }: FollowDependencies,
  { batch, records, nowMs }: Sweep,
): Promise<Batch> => {
  if (batch.claimUpTo === undefined || permissionOf(batch) !== 'may_submit') return batch;
  const { batchId, statusSince: leavingSince } = batch;
  const judged = judgeCanary([...records.values()], batch, nowMs, settings);
  switch (judged.kind) {
    case 'open':
      return batch;
    case 'passed': {
      const changes = { claimUpTo: null, leavingSince };
      return (await ledger.moveBatch(batchId, batchTransitions.passCanary, 'system', changes)).batch;
    }
    case 'failed': {
      const payouts = (await ledger.readChunk(batchId, judged.chunk))?.payouts ?? [];
      const failed = payouts.find(spoilsCanary);
      const why = failed?.reason === undefined ? '' : ` (${failed.reason.code})`;
      const first = batch.canary === 1 ? 'payout' : `${batch.canary} payouts`;
      const message =
        `Of the first ${first}, which must complete before the others are sent, ${failed?.reference ?? 'one'} is ` +
        `${failed?.status ?? 'not completed'}${why}. The other ${formatCount(heldByCanary(batch))} were not sent. Find out why. Resume to send them, or cancel.`;
      const changes = { reason: { code: canaryFailed, message }, resumeTo: batch.status, leavingSince };
      return (await ledger.moveBatch(batchId, batchTransitions.pauseClaiming, 'system', changes, canaryFailed)).batch;
    }
  }
};
