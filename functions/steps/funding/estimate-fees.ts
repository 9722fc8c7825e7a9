import type { Waiting } from '../../batches/await-funds.ts';
import { awaitProvider, outageOf } from '../../batches/await-funds.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import { batchStatusesThat, hasBegunDisbursing, permissionToMoveMoney } from '../../domain/batch/batch-status.ts';
import { hourMs } from '../../domain/durations.ts';
import { ProviderMisconfigured, ProviderUnavailable } from '../../domain/errors.ts';
import { estimateFees } from '../../domain/money/fees.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, provider, providerCheck, settings } from '../../runtime.ts';
import type { BatchInput } from '../as-step.ts';
import { asStep, getExistingBatch, planOf } from '../as-step.ts';
import { countWaits, waitingInput } from './count-waits.ts';

type EstimateFeesDependencies = Needs<
  {
    ledger: 'getBatch' | 'moveBatch' | 'amendBatch' | 'readProviderFit' | 'recordProviderFit';
    provider: 'estimateFee';
    log: 'info';
  },
  'providerCheck' | 'settings' | 'clock'
>;

/** Milliseconds until a provider that passed its check is checked again, for all batches together. */
const fitForMs = hourMs;

/**
 * Checks the provider before money goes to it. A provider where batches cannot be followed would otherwise show only by payouts
 * that never end. An outage proves nothing, and is handled where the batch needs an answer.
 *
 * @throws ProviderMisconfigured with a message for the person who fixes it
 */
const checkProvider = async (dependencies: EstimateFeesDependencies, batch: Batch): Promise<void> => {
  const { ledger, providerCheck, clock, log } = dependencies;
  const { batchId } = batch;
  // Payouts that are already with the provider are followed whatever the check finds.
  if (hasBegunDisbursing(batch) || permissionToMoveMoney(batch) !== 'granted') return;
  for (const rail of new Set(planOf(batch).currencies.map((currency) => currency.rail))) {
    const key = { rail, settingsHash: providerCheck.settingsHash };
    const fitAt = await ledger.readProviderFit(key);
    if (fitAt !== undefined && clock() - Date.parse(fitAt) < fitForMs) continue;
    const since = isoNow(clock);
    const checked = await providerCheck.run(rail);
    log.info('provider.checked', { batchId, rail, found: checked.kind });
    if (checked.kind === 'unfit') throw new ProviderMisconfigured(checked.problem);
    if (checked.kind === 'fits') await ledger.recordProviderFit(key, since);
  }
};

/**
 * Checks the provider, then records what the payouts will cost per currency (see domain/money/fees.ts). While the provider is
 * out, the batch waits: nobody may be there to resume it at its start time.
 */
export const estimateBatchFees = async (
  dependencies: EstimateFeesDependencies,
  { batchId }: BatchInput,
): Promise<Waiting | { readonly batchId: string; readonly next: 'fund' }> => {
  const { ledger, provider } = dependencies;
  const batch = await getExistingBatch(ledger, batchId);
  await checkProvider(dependencies, batch);
  // A batch that is being canceled needs no fees, and must end even if the provider gives no estimate.
  if (batch.fees === undefined && permissionToMoveMoney(batch) !== 'ended') {
    const { currencies } = planOf(batch);
    const estimates = await Promise.all(
      currencies.map(({ rail, largestAmount }) => provider.estimateFee(rail, largestAmount)),
    ).catch(outageOf(batch));
    if (estimates instanceof ProviderUnavailable)
      return awaitProvider(dependencies, batch, `The provider gave no estimate of the fees (${estimates.message}).`);
    await ledger.amendBatch(batchId, [...batchStatusesThat('mayReserve'), ...batchStatusesThat('mayClaim')], {
      fees: estimateFees(currencies, new Map(estimates.flatMap((fee) => (fee ? [[fee.currency, fee]] : [])))),
    });
  }
  return { batchId, next: 'fund' };
};

const run = bind(countWaits(estimateBatchFees), { ledger, provider, providerCheck, settings });

export const handler = asStep('EstimateFees', waitingInput, log, run);
