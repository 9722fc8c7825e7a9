import { listBatches } from '../../domain/report/corrections.ts';
import type { Check } from './check.ts';

/**
 * Finds batches that had not paid some of the same debts when this one was planned, and whose payouts the provider has
 * contradicted since. It may have paid one of them after all.
 */
export const debtsContradicted: Check = ({ contradictedSince }) => {
  if (contradictedSince.length === 0) return undefined;
  const batches = contradictedSince.map(({ batchId }) => batchId);
  return {
    code: 'debts_contradicted',
    message:
      `Since this batch was planned or last released, the provider contradicted payouts of ${listBatches(batches)}, which had not paid ` +
      'some of the same debts. These may be paid by now: see the contradictions there.',
    rows: 0,
    against: contradictedSince.map(({ batchId, contradictions }) => `${batchId} ${contradictions}`).join(' '),
    mayBeReleased: true,
  };
};
