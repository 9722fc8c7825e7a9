import type { PaymentMethod } from '../../ports/provider.ts';
import type { Batch, FeeEstimate } from '../batch/batch.ts';
import type { CurrencyPlan } from '../batch/plan.ts';
import type { Progress } from '../batch/progress.ts';
import { InvariantBroken } from '../errors.ts';
import { payoutStatuses, payoutStatusIs } from '../payout/payout-status.ts';
import type { OrchestratorSettings } from '../settings.ts';
import { decimalsOf } from './currency.ts';
import { fractionDigits, toMinorUnits } from './decimal.ts';
import type { MoneyByCurrency } from './money-by-currency.ts';
import { sumIn } from './tally.ts';

const knownDecimals = (currency: string): number => {
  const decimals = decimalsOf(currency);
  if (decimals === undefined) throw new InvariantBroken(`the decimals of ${currency} are unknown`);
  return decimals;
};

/**
 * Returns a function that computes a payout's fee by this method, in minor units: flat plus percentage of the amount, rounded up
 * to the currency's decimals. Prepared once per method, because planning computes up to a million fees.
 *
 * fee = ⌈(amount × rate + flat) ÷ 10^scale⌉, where rate is the percentage ÷ 100 and flat the fee in minor units, both × 10^scale
 * so that every number is whole.
 */
export const feeInMinorUnits = (
  method: Pick<PaymentMethod, 'currency' | 'feeFlat' | 'feePercentage'>,
): ((amountMinor: bigint) => bigint) => {
  const decimals = knownDecimals(method.currency);
  const percentScale = fractionDigits(method.feePercentage) + 2;
  const scale = Math.max(percentScale, method.feeFlat.decimals());
  const divisor = 10n ** BigInt(scale);
  const flat = method.feeFlat.inMinorUnits(scale) * 10n ** BigInt(decimals);
  const flatAndRoundUp = flat + divisor - 1n;
  const rate = toMinorUnits(method.feePercentage, scale - 2);
  return (amountMinor) => (amountMinor * rate + flatAndRoundUp) / divisor;
};

/**
 * Estimates fees per currency from the payment methods. If the provider estimates a fee for the largest amount, and this fee
 * times the number of payouts is higher, the higher sum counts. An estimate that is too low would leave payouts without funds.
 *
 * @param estimates the provider's estimates, by currency: fee of one payout of the largest amount
 */
export const estimateFees = (currencies: readonly CurrencyPlan[], estimates: MoneyByCurrency): readonly FeeEstimate[] =>
  currencies.map(({ rail, currency, count, fee }) => {
    const estimated = estimates.get(currency)?.roundedUp(knownDecimals(currency)).times(count);
    return estimated?.isMoreThan(fee)
      ? { rail, fee: estimated, source: 'crypto_estimate' }
      : { rail, fee, source: 'payment_methods' };
  });

/**
 * Statuses whose fees count. Those of payouts that ended unpaid are left out: most were never charged or were returned, and the
 * tallies do not show which.
 */
const statusesWithFee = payoutStatuses.filter((status) => !payoutStatusIs(status, 'endsUnpaid'));

/**
 * Compares the fees charged so far for one rail and currency with the estimate for the whole file. A fee that is far off shows
 * with the first responses: `isBeyond` is true when the fees exceed the estimate by more than the tolerance. With an estimate
 * of 0, it is true for any fee.
 */
export const compareFeesOf = (
  { rail, currency, fee }: CurrencyPlan,
  { fees }: Pick<Batch, 'fees'>,
  progress: Pick<Progress, 'currencies'>,
  { feeTolerancePercent }: Pick<OrchestratorSettings, 'feeTolerancePercent'>,
) => {
  const ofBatch = fees?.find((one) => one.rail === rail && one.fee.currency === currency);
  const estimated = ofBatch?.fee ?? fee;
  const soFar = progress.currencies.find((one) => one.rail === rail && one.currency === currency);
  const charged = sumIn(currency, soFar?.tallies ?? {}, statusesWithFee).fee;
  const most = estimated.plus(estimated.percent(feeTolerancePercent));
  return { rail, currency, isBeyond: charged.isMoreThan(most), estimated, charged };
};

/** Compares the fees of every rail and currency of a batch. */
export const compareFees = (
  batch: Pick<Batch, 'plan' | 'fees'>,
  progress: Pick<Progress, 'currencies'>,
  settings: Pick<OrchestratorSettings, 'feeTolerancePercent'>,
) => (batch.plan?.currencies ?? []).map((planned) => compareFeesOf(planned, batch, progress, settings));
