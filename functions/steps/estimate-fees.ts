import { batchStatusesThat } from '../domain/batch-status.ts';
import { estimateFees } from '../domain/fees.ts';
import { ledger, log, provider } from '../runtime.ts';
import type { BatchInput, Needs } from './step.ts';
import { asStep, batchInput, getExistingBatch, planOf } from './step.ts';

/** Records what the payouts will cost, per currency: see domain/fees.ts. */
export const estimateBatchFees = async (
  { ledger, provider }: Needs<{ ledger: 'getBatch' | 'amendBatch'; provider: 'estimateCryptoFee' }>,
  { batchId }: BatchInput,
): Promise<{ batchId: string; next: 'fund' }> => {
  const batch = await getExistingBatch(ledger, batchId);
  if (batch.fees === undefined) {
    const { currencies } = planOf(batch);
    const tokens = currencies.filter(({ rail }) => rail === 'crypto');
    const estimates = await Promise.all(
      tokens.map(
        async ({ currency, largestAmount }) =>
          [currency, await provider.estimateCryptoFee(currency, largestAmount)] as const,
      ),
    );
    await ledger.amendBatch(batchId, [...batchStatusesThat('mayReserve'), ...batchStatusesThat('mayClaim')], {
      fees: estimateFees(currencies, new Map(estimates)),
    });
  }
  return { batchId, next: 'fund' };
};

export const handler = asStep('EstimateFees', batchInput, log, (input) =>
  estimateBatchFees({ ledger: ledger(), provider: provider() }, input),
);
