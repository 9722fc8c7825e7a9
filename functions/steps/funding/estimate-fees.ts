import type { Waiting } from '../../batches/await-funds.ts';
import { awaitProvider, outageOf } from '../../batches/await-provider.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import {
  batchStatusesThat,
  batchStatusIs,
  hasBegunDisbursing,
  permissionToMoveMoney,
} from '../../domain/batch/batch-status.ts';
import { hourMs } from '../../domain/durations.ts';
import { ProviderMisconfigured, ProviderUnavailable } from '../../domain/errors.ts';
import { estimateFees } from '../../domain/money/fees.ts';
import type { Rail } from '../../domain/payout/payout.ts';
import { isoNow } from '../../ports/environment.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, provider, providerCheck, settings } from '../../runtime.ts';
import { getExistingBatch, planOf } from '../as-step.ts';
import type { WaitingInput } from './count-waits.ts';
import { asWaitingStep } from './count-waits.ts';

type EstimateFeesDependencies = Needs<
  {
    ledger: 'getBatch' | 'moveBatch' | 'amendBatch' | 'readProviderFit' | 'recordProviderFit';
    provider: 'estimateFee';
    log: 'info';
  },
  'providerCheck' | 'settings' | 'clock'
>;

/** What one run works with. */
type Run = EstimateFeesDependencies & { readonly batch: Batch } & Pick<WaitingInput, 'waits'>;

/** Milliseconds until a provider that passed its check is checked again, for all batches together. */
const fitForMs = hourMs;

/**
 * Checks the provider before money goes to it. A provider where batches cannot be followed would otherwise show only by payouts
 * that never end. An outage proves nothing, and is handled where the batch needs an answer.
 *
 * @throws ProviderMisconfigured with a message for the person who fixes it
 */
const checkProvider = async (run: Run): Promise<void> => {
  const { batch } = run;
  // Payouts that are already with the provider are followed whatever the check finds.
  if (hasBegunDisbursing(batch) || permissionToMoveMoney(batch) !== 'granted') return;
  const rails = new Set(planOf(batch).currencies.map((currency) => currency.rail));
  // At once: a provider that hangs must leave time for the estimate.
  await Promise.all([...rails].map((rail) => checkRail(run, rail)));
};

const checkRail = async ({ ledger, providerCheck, clock, log, batch }: Run, rail: Rail): Promise<void> => {
  const { batchId } = batch;
  const key = { rail, settingsHash: providerCheck.settingsHash };
  const fitAt = await ledger.readProviderFit(key);
  if (fitAt !== undefined && clock() - Date.parse(fitAt) < fitForMs) return;
  const since = isoNow(clock);
  const checked = await providerCheck.run(rail);
  log.info('provider.checked', { batchId, rail, found: checked.kind });
  if (checked.kind === 'unfit') throw new ProviderMisconfigured(checked.problem);
  if (checked.kind === 'fits') await ledger.recordProviderFit(key, since);
};

type EstimateFeesOutput = Waiting | { readonly batchId: string; readonly next: 'fund' };

/**
 * Checks the provider, then records what the payouts will cost per currency (see domain/money/fees.ts). While the provider is
 * out, the batch waits: nobody may be there to resume it at its start time.
 */
export const estimateBatchFees = async (
  dependencies: EstimateFeesDependencies,
  { batchId, waits }: WaitingInput,
): Promise<EstimateFeesOutput> => {
  const batch = await getExistingBatch(dependencies.ledger, batchId);
  const run = { ...dependencies, batch, waits };
  await checkProvider(run);
  // A batch that is being canceled must end even if the provider gives no estimate. One that awaits approval is decided about
  // with the fees that people saw.
  const needsNone = permissionToMoveMoney(batch) === 'ended' || batchStatusIs(batch.status, 'awaitsApproval');
  return batch.fees !== undefined || needsNone ? { batchId, next: 'fund' } : recordFees(run);
};

const recordFees = async (run: Run): Promise<EstimateFeesOutput> => {
  const { ledger, provider, settings, batch, waits } = run;
  const { batchId } = batch;
  const untilItMayGoOn = { batchId, next: 'wait', waitSeconds: settings.fundsRecheckSeconds } as const;
  // Fees cannot be recorded while it is paused, and without them it must not go on.
  if (permissionToMoveMoney(batch) === 'stopped' && !hasBegunDisbursing(batch)) return untilItMayGoOn;
  const { currencies } = planOf(batch);
  const estimates = await Promise.all(
    currencies.map(({ rail, largestAmount }) => provider.estimateFee(rail, largestAmount)),
  ).catch(outageOf(batch));
  if (estimates instanceof ProviderUnavailable) {
    const message = `The provider gave no estimate of the fees (${estimates.message}).`;
    return awaitProvider(run, batch, waits, message);
  }
  const mayRecord = [...batchStatusesThat('mayReserve'), ...batchStatusesThat('mayClaim')];
  const fees = estimateFees(currencies, new Map(estimates.flatMap((fee) => (fee ? [[fee.currency, fee]] : []))));
  const recorded = await ledger.amendBatch(batchId, mayRecord, { fees });
  // It was paused meanwhile, or has ended.
  if (recorded.kind === 'refused' && !hasBegunDisbursing(recorded.batch)) return untilItMayGoOn;
  return { batchId, next: 'fund' };
};

export const handler = asWaitingStep(
  'EstimateFees',
  log,
  bind(estimateBatchFees, { ledger, provider, providerCheck, settings }),
);
