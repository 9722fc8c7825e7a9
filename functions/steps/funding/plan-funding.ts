import type { Waiting } from '../../batches/await-funds.ts';
import { awaitFunds } from '../../batches/await-funds.ts';
import { awaitProvider, outageOf } from '../../batches/await-provider.ts';
import { endCanceled } from '../../batches/end-canceled.ts';
import { giveBackIfUnchanged, giveBackReservation, readTreasury, reservedFor } from '../../batches/reservation.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import {
  batchStatusesThat,
  batchStatusIs,
  hasBegunDisbursing,
  isBatchEnd,
  permissionToMoveMoney,
} from '../../domain/batch/batch-status.ts';
import { ProviderUnavailable } from '../../domain/errors.ts';
import { isInDoubt } from '../../domain/money/conversion.ts';
import type { MissingFunds } from '../../domain/money/funding.ts';
import { currenciesOf, planFunding, quotesToAsk } from '../../domain/money/funding.ts';
import type { Reason } from '../../domain/payout/payout.ts';
import { isoNow } from '../../ports/environment.ts';
import type { FundsLedger } from '../../ports/ledger/funds-ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import type { Quote } from '../../ports/provider.ts';
import { bind, ledger, log, provider, settings } from '../../runtime.ts';
import { getExistingBatch, planOf } from '../as-step.ts';
import type { FollowPlace } from '../follow.ts';
import type { WaitingInput } from './count-waits.ts';
import { asWaitingStep } from './count-waits.ts';

export type PlanFundingDependencies = Needs<
  {
    ledger: keyof FundsLedger | 'getBatch' | 'moveBatch' | 'amendBatch' | 'readProgress';
    provider: 'account' | 'readBalances' | 'quoteConversion';
  },
  'settings' | 'clock'
>;

/** Where a funded batch may go, before and after its release. */
export type FundedOutput =
  | Waiting
  | (FollowPlace & { readonly next: 'disburse' })
  | { readonly batchId: string; readonly next: 'convert' | 'ended' };

export type PlanFundingOutput = FundedOutput | { readonly batchId: string; readonly next: 'release' };

/**
 * Compares a batch's needs with the balances, reserves its money, and lets it be released or wait. A batch that has begun to
 * disburse goes on: its money is reserved, or already with the provider. The plan of a batch that awaits approval is kept.
 */
export const planBatchFunding = async (
  dependencies: PlanFundingDependencies,
  { batchId, waits }: WaitingInput,
): Promise<PlanFundingOutput> => {
  const batch = await getExistingBatch(dependencies.ledger, batchId);
  if (hasBegunDisbursing(batch) || (isBatchEnd(batch.status) && batch.report !== undefined)) return disburse(batch, 0);
  switch (permissionToMoveMoney(batch)) {
    case 'ended':
      if (!isBatchEnd(batch.status)) return endCanceled(dependencies, batch);
      // The run that rejected it may have died before giving its money back.
      await giveBackReservation(dependencies, batch);
      return { batchId, next: 'ended' };
    case 'stopped':
      await giveBackIfUnchanged(dependencies, batch);
      return { batchId, next: 'wait', waitSeconds: dependencies.settings.fundsRecheckSeconds };
    case 'granted':
      return batchStatusIs(batch.status, 'awaitsApproval')
        ? { batchId, next: 'release' }
        : fund(dependencies, batch, waits);
  }
};

/** @param round 1 to submit the plan's manifest: all chunks, or the canary's; 0 when Follow has to find out which */
export const disburse = (batch: Batch, round: 0 | 1): FundedOutput => {
  const { batchId } = batch;
  const { manifestKey } = planOf(batch);
  if (manifestKey === undefined) return { batchId, next: 'ended' };
  return { batchId, next: 'disburse', round, manifestKey, sweeps: 0 };
};

const fund = async (dependencies: PlanFundingDependencies, batch: Batch, waits: number): Promise<PlanFundingOutput> => {
  const { ledger } = dependencies;
  const { batchId } = batch;
  const conversions = await ledger.listConversions(batchId);
  // Its outcome has not been inferred from the balances yet. That comes before they change further, even if they cover the
  // batch.
  if (conversions.some(({ status }) => status === 'claimed')) return { batchId, next: 'convert' };
  const decided = await decide(dependencies, batch, conversions.length).catch(outageOf(batch));
  if (decided instanceof ProviderUnavailable) {
    // Others may need its money meanwhile. Once it is released, Convert may be taking it.
    if (batchStatusIs(batch.status, 'awaitsFunds') && batch.release === undefined)
      await giveBackIfUnchanged(dependencies, batch);
    const message = `The provider returned no balances or no quote (${decided.message}).`;
    return awaitProvider(dependencies, batch, waits, message);
  }
  const { decision, funds } = decided;
  const { plan } = decision;
  if (batch.mode === 'preview') {
    await ledger.amendBatch(batchId, batchStatusesThat('mayReserve'), { funding: plan });
    return { batchId, next: 'release' };
  }
  if (decision.kind === 'unclear') {
    const since = batch.funding?.unclearSince ?? plan.plannedAt;
    const found = { funding: { ...plan, unclearSince: since } };
    const waiting = await awaitFunds(dependencies, batch, unclearReason, found);
    // This changes without a person. Looks again soon, and then at growing intervals: a quarter of the time waited so far.
    const soonSeconds = Math.max(1, Math.ceil((Date.parse(plan.plannedAt) - Date.parse(since)) / 4000));
    return { ...waiting, waitSeconds: Math.min(waiting.waitSeconds, soonSeconds) };
  }
  // A waiting batch keeps no reservation. Only the reservation that was read is given back, and only while nothing is
  // disbursed. A batch that disburses pays with any that a concurrent run has made.
  const isReserved =
    decision.kind === 'wait'
      ? await ledger.reserve(batchId, reservedFor(batchId, funds), new Map(), { whileFunded: true })
      : await ledger.reserve(batchId, funds, decision.reservations);
  // Others reserved concurrently: the rest must be read again.
  if (!isReserved) return { batchId, next: 'wait', waitSeconds: 1 };
  if (decision.kind === 'wait')
    return awaitFunds(dependencies, batch, shortageReason(decision.missing), { funding: plan });
  await ledger.amendBatch(batchId, batchStatusesThat('mayReserve'), { funding: plan });
  // Until the last conversion is resolved, nothing more is converted, and nobody is asked to approve more.
  if (decision.kind === 'convert' && conversions.some(isInDoubt)) return { batchId, next: 'convert' };
  return { batchId, next: 'release' };
};

/** Conversions are counted before the balances are read. Otherwise balances that miss one could lead to making it again. */
const decide = async (dependencies: PlanFundingDependencies, batch: Batch, conversionsBefore: number) => {
  const { provider, settings, clock } = dependencies;
  const sources = settings.conversionSources;
  const { funds, situation, ...since } = await readTreasury(dependencies, batch, currenciesOf(batch, settings));
  const quotes: Quote[] = [];
  const refusals = new Map<string, boolean>();
  for (const request of quotesToAsk(situation, sources)) {
    const { currency } = request.output;
    const answer = await provider.quoteConversion(request);
    if (answer.kind === 'quoted') quotes.push(answer.quote);
    const isLacking = answer.kind === 'refused' && answer.isLacking === true;
    refusals.set(currency, isLacking && (refusals.get(currency) ?? true));
  }
  /** Short currencies into which the provider cannot convert. */
  const unconverted = [...refusals].filter(([, isLacking]) => isLacking).map(([currency]) => currency);
  const basis = { conversionsBefore, plannedAt: isoNow(clock), ...since };
  const decision = planFunding(situation, { quotes, unconverted }, sources, basis, settings.maxSlippagePercent);
  return { decision, funds };
};

const causes = { not_convertible: 'the provider converts nothing to it', no_source: 'no token covers it' } as const;

const unclearReason: Reason = {
  code: 'balance_unclear',
  message: 'Calls or conversions of other batches are not answered yet. How much is missing is known once they are.',
};

const shortageReason = (missing: readonly MissingFunds[]): Reason => {
  const shortages = missing.map(
    ({ shortfall, cause }) => `${shortfall.currency} is short by ${shortfall.amount} and ${causes[cause]}.`,
  );
  const message = [...shortages, 'Top up the balance, and the batch goes on by itself.'].join(' ');
  return { code: 'insufficient_balance', message };
};

export const handler = asWaitingStep('PlanFunding', log, bind(planBatchFunding, { ledger, provider, settings }));
