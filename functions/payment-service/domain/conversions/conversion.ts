import type { MerchantTerms } from '../account.ts';
import { mayConvert } from '../account.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { canonical, multiply, subtract } from '../money/decimal.ts';
import type { Charge } from '../money/fees-and-limits.ts';
import { grossedUp, tooManyDecimals } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import type { Refused } from '../refused.ts';
import { refused } from '../refused.ts';
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
  /** The requested output, if the request named one. `total` can exceed it by one smallest unit. */
  readonly wanted?: Money | undefined;
}

export interface Quote {
  readonly quoteId: string;
  readonly conversion: Conversion;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

interface ConversionTerms {
  readonly conversionFeePercentage: Decimal;
  readonly rates: Readonly<Record<string, Decimal>>;
  /** The pairs that the merchant has enabled. */
  readonly conversions: MerchantTerms['conversions'];
}

/** Exactly one of the two amounts is given. `outputAmount` is the amount that must arrive after the fee. */
export interface ConversionRequest {
  readonly inputCurrency: string;
  readonly outputCurrency: string;
  readonly inputAmount?: Decimal | undefined;
  readonly outputAmount?: Decimal | undefined;
  readonly markupRatePercentage?: Decimal | undefined;
}

/** The request's field names. An estimate uses these names; a conversion groups its fields by side. */
type ConversionFields = Readonly<Record<'inputCurrency' | 'inputAmount' | 'outputCurrency' | 'outputAmount', string>>;

const flatFields: ConversionFields = {
  inputCurrency: 'inputCurrency',
  inputAmount: 'inputAmount',
  outputCurrency: 'outputCurrency',
  outputAmount: 'outputAmount',
};

export type PricedConversion = { readonly kind: 'priced'; readonly conversion: Conversion } | Refused;

/** The fee of a conversion, as a charge on its output. */
export const conversionCharge = (
  { conversionFeePercentage }: Pick<ConversionTerms, 'conversionFeePercentage'>,
  outputCurrency: string,
): Charge => ({ feeFlat: Money.zero(outputCurrency), feePercentage: conversionFeePercentage });

/** The part of a conversion that follows from its input and its rate. */
const atRate = (
  { conversionFeePercentage }: Pick<ConversionTerms, 'conversionFeePercentage'>,
  rate: Decimal,
  converted: Money,
) => {
  const fee = converted.percentRoundedHalfUp(conversionFeePercentage);
  return { rate, converted, fee, total: converted.minus(fee) };
};

/**
 * Prices a conversion at the current rate. Rounding favors the service by less than one unit: the output is rounded
 * down, the input for a wanted output is rounded up, and the fee is rounded half up.
 *
 * @param fields the request's names for its fields, used in refusals
 */
export const priceConversion = (
  terms: ConversionTerms,
  request: ConversionRequest,
  fields: ConversionFields = flatFields,
): PricedConversion => {
  const token = tokenOf(request.inputCurrency);
  if (token === undefined) return refused(`${fields.inputCurrency} is not a supported crypto currency`);
  const fiat = fiatCurrencyOf(request.outputCurrency);
  if (fiat === undefined) return refused(`${fields.outputCurrency} is not a supported fiat currency`);
  const marketRate = rateOf(terms.rates, token.code, fiat.code);
  if (marketRate === undefined || !mayConvert(terms, token.code, fiat.code)) {
    return refused('this pair cannot be converted');
  }
  const given = Money.ofOptional(request.inputAmount, token.code);
  const wanted = Money.ofOptional(request.outputAmount, fiat.code);
  const markupRatePercentage = canonical(request.markupRatePercentage ?? '0');
  const rate = multiply(multiply(marketRate, subtract('100', markupRatePercentage)), '0.01');
  const gross = wanted && grossedUp(wanted, conversionCharge(terms, fiat.code));
  const input = given ?? gross?.dividedRoundedUp(rate, token.code);
  if (input === undefined || (given !== undefined && wanted !== undefined)) {
    return refused(`exactly one of ${fields.inputAmount} and ${fields.outputAmount} is required`);
  }
  const tooFine = tooManyDecimals(fields.inputAmount, given) ?? tooManyDecimals(fields.outputAmount, wanted);
  if (tooFine !== undefined) return refused(tooFine);
  const priced = atRate(terms, rate, gross ?? input.timesRoundedDown(rate, fiat.code));
  if (!priced.total.isPositive()) return refused('the amount is too small to convert');
  return { kind: 'priced', conversion: { input, ...priced, markupRatePercentage, wanted } };
};

/** The sandbox multiplies the rate by this when it moves it against the merchant between quote and conversion. */
const movedRatePart = '0.95';

/**
 * The same input at a rate that has moved. The sandbox treats a magic amount this way.
 *
 * @returns undefined when nothing would be left
 */
export const atMovedRate = (
  terms: Pick<ConversionTerms, 'conversionFeePercentage'>,
  conversion: Conversion,
): Conversion | undefined => {
  const rate = multiply(conversion.rate, movedRatePart);
  const moved = atRate(terms, rate, conversion.input.timesRoundedDown(rate, conversion.total.currency));
  return moved.total.isPositive() ? { ...conversion, ...moved } : undefined;
};
