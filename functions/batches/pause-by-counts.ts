import { allQuarantined, findAllQuarantined } from '../domain/batch/all-quarantined.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, permissionToClaim } from '../domain/batch/batch-status.ts';
import type { ChunkRecord } from '../domain/batch/chunk.ts';
import { endsOf, tooManyUnpaid, unpaidAbove } from '../domain/batch/unpaid-share.ts';
import { formatCount, plural } from '../domain/money/format-money.ts';
import type { Reason } from '../domain/payout/payout.ts';
import type { BatchLedger } from '../ports/ledger/batch-ledger.ts';

type Counted = readonly Pick<ChunkRecord, 'currency' | 'tallies'>[];

const becauseUnpaid = (batch: Batch, counted: Counted): Reason | undefined => {
  const exceeded = tooManyUnpaid(batch, endsOf(counted));
  if (exceeded === undefined) return undefined;
  const since = batch.acknowledgedEnds === undefined ? '' : ' since it was resumed';
  const message =
    `${formatCount(exceeded.unpaid)} of ${formatCount(exceeded.ended)} ${plural(exceeded.ended, 'payout')} that ended${since} ${plural(exceeded.unpaid, 'was', 'were')} not paid: more than ${batch.pauseAbove}% (pauseAbove). ` +
    'Find out why before you resume the batch. The count starts anew then.';
  return { code: unpaidAbove, message };
};

const becauseQuarantined = (batch: Batch, counted: Counted): Reason | undefined => {
  // The canary pauses the batch for a single quarantined payout.
  const found = batch.claimUpTo === undefined ? findAllQuarantined(batch, counted) : undefined;
  if (found === undefined) return undefined;
  const message =
    `${formatCount(found.quarantined)} payouts in ${found.currency} are quarantined, and none got through. The provider may show all payouts ` +
    'otherwise than the file has them. See the reason of each. Correct and deploy the settings, or ask the provider. Stop the ' +
    "batch's execution, which keeps the former settings. Then resume.";
  return { code: allQuarantined, message };
};

/**
 * Pauses a batch if more of its payouts ended unpaid than `pauseAbove` allows, or if all in a currency are quarantined. One
 * conditional write, from the exact status that was read before the counts. So a late look cannot pause a batch that a person has
 * resumed meanwhile. Returns the latest batch.
 *
 * @param counted sums of its payouts by currency, or records of its chunks
 */
export const pauseByCounts = async (
  { moveBatch }: Pick<BatchLedger, 'moveBatch'>,
  batch: Batch,
  counted: Counted,
): Promise<Batch> => {
  if (permissionToClaim(batch) !== 'granted') return batch;
  const reason = becauseUnpaid(batch, counted) ?? becauseQuarantined(batch, counted);
  if (reason === undefined) return batch;
  const { batchId, status, statusSince: leavingSince } = batch;
  const changes = { reason, resumeTo: status, leavingSince };
  return (await moveBatch(batchId, batchTransitions.pauseClaiming, 'system', changes, { detail: reason.code })).batch;
};
