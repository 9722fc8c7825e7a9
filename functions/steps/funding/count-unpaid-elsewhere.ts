import type { Release } from '../../domain/batch/batch.ts';
import type { PlanSummary, UnpaidElsewhere } from '../../domain/batch/plan.ts';
import { inOrder } from '../../domain/in-parallel.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';

const concurrentCounts = 8;

/** Counts again the contradictions of the batches that owe some of the same debts and did not pay them. */
export const countUnpaidElsewhere = async (
  { countUnpaidContradictions }: Pick<PayoutLedger, 'countUnpaidContradictions'>,
  { unpaidElsewhere: planned = [] }: PlanSummary,
  { unpaidElsewhere: noted = planned }: Partial<Release> = {},
): Promise<Record<'unpaidElsewhere' | 'contradictedSince', readonly UnpaidElsewhere[]>> => {
  const count = async ({ batchId, contradictions: before }: UnpaidElsewhere) => {
    const contradictions = await countUnpaidContradictions(batchId);
    return { now: { batchId, contradictions }, isMore: contradictions > before };
  };
  const counted = await Array.fromAsync(inOrder(noted, concurrentCounts, count));
  return {
    unpaidElsewhere: counted.map(({ now }) => now),
    contradictedSince: counted.filter(({ isMore }) => isMore).map(({ now }) => now),
  };
};
