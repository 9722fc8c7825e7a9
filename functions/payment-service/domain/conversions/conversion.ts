import type { MerchantTerms } from '../account.ts';
import { mayConvert } from '../account.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { canonical, multiply, subtract } from '../money/decimal.ts';
import type { Charge } from '../money/fees-and-limits.ts';
import { grossedUp, tooManyDecimals } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import { Refused } from '../refused.ts';
import type { RateOverrides } from './rates.ts';
import { rateOf } from './rates.ts';

/** A priced conversion: a token leaves the balance and a fiat currency arrives. */
export interface Conversion {
  /** The amount that leaves the balance. */
  readonly input: Money;
  /** Fiat per token, after the markup. */
  readonly rate: Decimal;
  /** The amount that the input buys, before the fee. */
  readonly converted: Money;
  /** In the output currency. */
  readonly fee: Money;
  /** The amount that the balance gains: `converted` less `fee`. */
  readonly total: Money;
  readonly markupRatePercentage: Decimal;
  /** The requested output, if the request named one. Equals `total`, unless the sandbox moved the rate. */
  readonly wanted?: Money | undefined;
}

export interface ConversionTerms {
  /** Percent of the converted amount. */
  readonly conversionFeePercentage: Decimal;
  readonly rates: RateOverrides;
  readonly account: Pick<MerchantTerms, 'conversions'>;
}

type ConversionFee = Pick<ConversionTerms, 'conversionFeePercentage'>;

/** Exactly one of the two amounts is given. `outputAmount` is the amount that must arrive after the fee. */
export interface ConversionRequest {
  readonly inputCurrency: string;
  readonly outputCurrency: string;
  readonly inputAmount?: Decimal | undefined;
  readonly outputAmount?: Decimal | undefined;
  readonly markupRatePercentage?: Decimal | undefined;
}

/** The fee of a conversion, as a charge on its output. */
export const conversionCharge = ({ conversionFeePercentage }: ConversionFee, outputCurrency: string): Charge => ({
  feeFlat: Money.zero(outputCurrency),
  feePercentage: conversionFeePercentage,
});

/** The part of a conversion that follows from its input and its rate. */
const atRate = ({ conversionFeePercentage }: ConversionFee, rate: Decimal, converted: Money) => {
  const fee = converted.percentRoundedHalfUp(conversionFeePercentage);
  return { rate, converted, fee, total: converted.minus(fee) };
};

/**
 * Prices a conversion at the current rate. Rounding favors the service by less than one unit: the output is rounded
 * down, the input for a wanted output is rounded up, and the fee is rounded half up.
 *
 * @param nameOf the request's name for a field, used in refusals. An estimate has `inputAmount`; a conversion groups its fields:
 * `input.amount`
 */
export const priceConversion = (
  terms: ConversionTerms,
  request: ConversionRequest,
  nameOf: (side: 'input' | 'output', field: 'Currency' | 'Amount') => string = (side, field) => side + field,
): Conversion | Refused => {
  const token = tokenOf(request.inputCurrency);
  if (token === undefined) return new Refused(`${nameOf('input', 'Currency')} is not a supported crypto currency`);
  const fiat = fiatCurrencyOf(request.outputCurrency);
  if (fiat === undefined) return new Refused(`${nameOf('output', 'Currency')} is not a supported fiat currency`);
  const marketRate = rateOf(terms.rates, token.code, fiat.code);
  if (marketRate === undefined || !mayConvert(terms.account, token.code, fiat.code))
    return new Refused('this pair cannot be converted');
  const given = Money.ofOptional(request.inputAmount, token.code);
  const wanted = Money.ofOptional(request.outputAmount, fiat.code);
  const markupRatePercentage = canonical(request.markupRatePercentage ?? '0');
  const rate = multiply(multiply(marketRate, subtract('100', markupRatePercentage)), '0.01');
  const gross = wanted && grossedUp(wanted, conversionCharge(terms, fiat.code));
  const input = given ?? gross?.dividedRoundedUp(rate, token.code);
  const [inputAmount, outputAmount] = [nameOf('input', 'Amount'), nameOf('output', 'Amount')];
  if (input === undefined || (given !== undefined && wanted !== undefined))
    return new Refused(`exactly one of ${inputAmount} and ${outputAmount} is required`);
  const tooFine = tooManyDecimals(inputAmount, given) ?? tooManyDecimals(outputAmount, wanted);
  if (tooFine !== undefined) return new Refused(tooFine);
  const priced = atRate(terms, rate, gross ?? input.timesRoundedDown(rate, fiat.code));
  if (!priced.total.isPositive()) return new Refused('the amount is too small to convert');
  return { input, ...priced, markupRatePercentage, wanted };
};

/** The sandbox multiplies the rate by this when it moves it against the merchant between quote and conversion. */
const movedRatePart = '0.95';

/**
 * The same input at a rate that has moved. The sandbox treats a magic amount this way.
 *
 * @returns undefined when nothing would be left
 */
export const atMovedRate = (terms: ConversionFee, conversion: Conversion): Conversion | undefined => {
  const rate = multiply(conversion.rate, movedRatePart);
  const moved = atRate(terms, rate, conversion.input.timesRoundedDown(rate, conversion.total.currency));
  return moved.total.isPositive() ? { ...conversion, ...moved } : undefined;
};
