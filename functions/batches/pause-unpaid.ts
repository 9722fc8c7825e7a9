import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, permissionToClaim } from '../domain/batch/batch-status.ts';
import type { Ends } from '../domain/batch/unpaid-share.ts';
import { tooManyUnpaid, unpaidAbove } from '../domain/batch/unpaid-share.ts';
import { formatCount, plural } from '../domain/money/format-money.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

/**
 * Pauses a batch if more of its payouts ended unpaid than `pauseAbove` allows. One conditional write, from the exact status
 * that was read before the ends. So a late look cannot pause a batch that a person has resumed meanwhile. Returns the latest
 * batch.
 */
export const pauseIfTooManyUnpaid = async (
  { moveBatch }: Pick<BatchLedger, 'moveBatch'>,
  batch: Batch,
  ends: Ends,
): Promise<Batch> => {
  const exceeded = permissionToClaim(batch) === 'granted' ? tooManyUnpaid(batch, ends) : undefined;
  if (exceeded === undefined) return batch;
  const { batchId, status, statusSince: leavingSince, acknowledgedEnds } = batch;
  const since = acknowledgedEnds === undefined ? '' : ' since it was resumed';
  const reason = {
    code: unpaidAbove,
    message:
      `${formatCount(exceeded.unpaid)} of ${formatCount(exceeded.ended)} ${plural(exceeded.ended, 'payout')} that ended${since} ${plural(exceeded.unpaid, 'was', 'were')} not paid: more than ${batch.pauseAbove}% (pauseAbove). ` +
      'Find out why before you resume the batch. The count starts anew then.',
  };
  const changes = { reason, resumeTo: status, leavingSince };
  return (await moveBatch(batchId, batchTransitions.pauseClaiming, 'system', changes, { detail: reason.code })).batch;
};
