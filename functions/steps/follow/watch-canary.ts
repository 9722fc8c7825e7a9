import type { Batch } from '../../domain/batch/batch.ts';
import { batchTransitions, permissionToClaim } from '../../domain/batch/batch-status.ts';
import { canaryFailed, judgeCanary, spoilsCanary } from '../../domain/batch/canary.ts';
import { heldByCanary } from '../../domain/batch/canary-hold.ts';
import { formatCount } from '../../domain/money/format-money.ts';
import type { Run } from './sweep.ts';

/**
 * Lets the payouts after the canary go once the whole canary is completed. Pauses the batch when a payout of the canary fails.
 * Each is one conditional write, from the exact status that was read before the records. So a late sweep undoes no person's
 * decision. Returns the latest batch.
 */
export const watchCanary = async ({ ledger, settings, sweep }: Run): Promise<Batch> => {
  const { batch, records, nowMs } = sweep;
  if (batch.claimUpTo === undefined || permissionToClaim(batch) !== 'granted') return batch;
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
        `The first ${first} must complete before the others are sent, but ${failed?.reference ?? 'one'} is ` +
        `${failed?.status ?? 'not completed'}${why}. The other ${formatCount(heldByCanary(batch))} were not sent. Find out why. Then resume to send them, or cancel.`;
      const changes = { reason: { code: canaryFailed, message }, resumeTo: batch.status, leavingSince };
      const line = { detail: canaryFailed };
      return (await ledger.moveBatch(batchId, batchTransitions.pauseClaiming, 'system', changes, line)).batch;
    }
  }
};
