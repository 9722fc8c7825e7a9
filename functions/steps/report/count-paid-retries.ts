import type { ReportSummary } from '../../domain/batch/batch.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isRetry, originalsOf } from '../../domain/payout/retries.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';

/** Retries whose originals are looked up at once. */
const retriesAtOnce = 50;

/**
 * Counts, by earlier batch, the payouts that were tried again and are paid now. What the provider contradicts is not. A payout is
 * counted once: its reference is one row's alone, and of it and its retries at most one is ever paid (payouts/retries.ts).
 */
export const countPaidRetries = (
  ledger: Pick<PayoutLedger, 'findReferences'>,
  { retries }: Pick<PlanSummary, 'retries'>,
): {
  readonly see: (payout: Pick<Payout, 'reference' | 'status' | 'contradictions'>) => Promise<void>;
  readonly finish: () => Promise<Pick<ReportSummary, 'retriesPaid'>>;
} => {
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
    see: async ({ reference, status, contradictions = [] }) => {
      if (paid.size === 0 || status !== 'completed' || contradictions.length > 0 || !isRetry(reference)) return;
      waiting.push(reference);
      if (waiting.length >= retriesAtOnce) await lookUp();
    },
    finish: async () => {
      if (waiting.length > 0) await lookUp();
      return paid.size === 0 ? {} : { retriesPaid: [...paid].map(([batchId, payouts]) => ({ batchId, payouts })) };
    },
  };
};
