import type { ReportSummary } from '../../domain/batch/batch.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { isPaidForSure } from '../../domain/payout/debts.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isRetry, originalsOf } from '../../domain/payout/retries.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';

/** Retries whose originals are looked up together. */
const retriesPerLookup = 50;

/**
 * Counts, by earlier batch, its payouts that were tried again and are paid now. Payouts that the provider contradicts do not
 * count. Each payout counts once: its reference belongs to one row, and at most one of it and its retries is ever paid
 * (payouts/check-retry.ts).
 */
export const countPaidRetries = (
  ledger: Pick<PayoutLedger, 'findReferences'>,
  { retries }: Pick<PlanSummary, 'retries'>,
) => {
  const paid = new Map((retries ?? []).map(({ batchId }) => [batchId, 0]));
  let waiting: string[] = [];
  const lookUp = async (): Promise<void> => {
    const references = waiting;
    waiting = [];
    const holders = await ledger.findReferences(references.flatMap(originalsOf), { mayBeOld: true });
    for (const reference of references)
      for (const batchId of new Set(originalsOf(reference).map((original) => holders.get(original)?.batchId))) {
        const count = batchId === undefined ? undefined : paid.get(batchId);
        if (batchId !== undefined && count !== undefined) paid.set(batchId, count + 1);
      }
  };
  return {
    see: async (payout: Pick<Payout, 'reference' | 'status' | 'contradictions'>): Promise<void> => {
      if (paid.size === 0 || !isPaidForSure(payout) || !isRetry(payout.reference)) return;
      waiting.push(payout.reference);
      if (waiting.length >= retriesPerLookup) await lookUp();
    },
    finish: async (): Promise<Pick<ReportSummary, 'retriesPaid'>> => {
      if (waiting.length > 0) await lookUp();
      return paid.size === 0 ? {} : { retriesPaid: [...paid].map(([batchId, payouts]) => ({ batchId, payouts })) };
    },
  };
};
