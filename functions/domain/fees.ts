import type { PaymentMethod } from '../ports/provider.ts';
import type { CurrencyPlan, FeeEstimate } from './batch.ts';
import { decimalsOf } from './currency.ts';
import { InvariantBroken } from './errors.ts';
import { compareAmounts, fractionDigits, multiplyAmount, roundFeeUp, toMinorUnits } from './money.ts';

type FeeTerms = Pick<PaymentMethod, 'currency' | 'feeFlat' | 'feePercentage'>;

const knownDecimals = (currency: string): number => {
  const decimals = decimalsOf(currency);
  if (decimals === undefined) throw new InvariantBroken(`the decimals of ${currency} are not known`);
  return decimals;
};

/**
 * Fee of one payout by its method, in minor units: flat plus percentage of the amount, rounded up to the currency's decimals.
 * Prepared once per method: planning asks it a million times.
 *
 * fee = flat + amount × percent ÷ 100, all scaled by 10^scale so that every number is whole.
 */
export const feeInMinorUnits = (method: FeeTerms): ((amountMinor: bigint) => bigint) => {
  const decimals = knownDecimals(method.currency);
  const percentScale = fractionDigits(method.feePercentage) + 2;
  const scale = Math.max(percentScale, fractionDigits(method.feeFlat));
  const divisor = 10n ** BigInt(scale);
  const flat = toMinorUnits(method.feeFlat, scale) * 10n ** BigInt(decimals);
  const flatAndRoundUp = flat + divisor - 1n;
  const rate = toMinorUnits(method.feePercentage, scale - 2);
  return (amountMinor) => (amountMinor * rate + flatAndRoundUp) / divisor;
};

/**
 * Fees expected per currency. Fiat: by the payment methods. Crypto: the provider's estimate for the largest amount,
 * times the count, or the methods' sum when that is larger: an estimate too low would leave payouts without funds.
 *
 * @param cryptoEstimates fee of one payout of the largest amount, in the token, by currency
 */
export const estimateFees = (
  currencies: readonly CurrencyPlan[],
  cryptoEstimates: ReadonlyMap<string, string>,
): readonly FeeEstimate[] =>
  currencies.map(({ rail, currency, count, fee }) => {
    const single = rail === 'crypto' ? cryptoEstimates.get(currency) : undefined;
    const estimated = single === undefined ? '0' : multiplyAmount(roundFeeUp(single, knownDecimals(currency)), count);
    return compareAmounts(estimated, fee) > 0
      ? { rail, currency, fee: estimated, source: 'crypto_estimate' }
      : { rail, currency, fee, source: 'payment_methods' };
  });
