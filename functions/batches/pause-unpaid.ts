import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, permissionOf } from '../domain/batch/batch-status.ts';
import type { Ends } from '../domain/batch/unpaid-share.ts';
import { tooManyUnpaid, unpaidAbove } from '../domain/batch/unpaid-share.ts';
import { formatCount, plural } from '../domain/money/format-money.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

/**
 * Pauses a batch of which more payouts ended unpaid than its start allows. One conditional write, by the very status that was read
 * before the ends: a late look does not pause a batch that a person has resumed since. Answers how it then stands.
 */
export const pauseUnpaid = async (
  { moveBatch }: Pick<BatchLedger, 'moveBatch'>,
  batch: Batch,
  ends: Ends,
): Promise<Batch> => {
  const beyond = permissionOf(batch) === 'may_submit' ? tooManyUnpaid(batch, ends) : undefined;
  if (beyond === undefined) return batch;
  const { batchId, status, statusSince: leavingSince, acknowledgedEnds } = batch;
  const since = acknowledgedEnds === undefined ? '' : ' since it was resumed';
  const reason = {
    code: unpaidAbove,
    message:
      `${formatCount(beyond.unpaid)} of ${formatCount(beyond.ended)} ${plural(beyond.ended, 'payout')} that ended${since} ${plural(beyond.unpaid, 'was', 'were')} not paid: more than ${batch.pauseAbove}% (pauseAbove). ` +
      'Find out why. Resumed, the count begins anew.',
  };
  const changes = { reason, resumeTo: status, leavingSince };
  return (await moveBatch(batchId, batchTransitions.pauseClaiming, 'system', changes, reason.code)).batch;
};
