import type { MerchantTerms } from '../account.ts';
import { mayConvert } from '../account.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import { grossedUp } from '../money/gross-up.ts';
import type { Decimal } from '../money/money.ts';
import {
  canonical,
  decimalsOf,
  divideRoundingUp,
  isPositive,
  multiply,
  percentRoundedHalfUp,
  roundDown,
  subtract,
} from '../money/money.ts';
import { rateOf } from './rates.ts';

/** A conversion worked out: what leaves in the token, what arrives in the fiat currency. */
export interface Conversion {
  readonly inputCurrency: string;
  readonly inputAmount: Decimal;
  readonly outputCurrency: string;
  /** Fiat for one token, the markup taken off already. */
  readonly rate: Decimal;
  /** Before the fee, in the output currency. */
  readonly convertedAmount: Decimal;
  /** In the output currency. */
  readonly fee: Decimal;
  /** What the balance gains. */
  readonly totalConvertedAmount: Decimal;
  readonly markupRatePercentage: Decimal;
  /** What was asked to arrive, when that was asked; `totalConvertedAmount` may be a smallest unit more. */
  readonly wantedOutputAmount?: Decimal | undefined;
}

export interface Quote {
  readonly quoteId: string;
  readonly conversion: Conversion;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface ConversionTerms {
  readonly conversionFeePercentage: Decimal;
  readonly rates: Readonly<Record<string, Decimal>>;
  /** What the merchant has enabled. */
  readonly conversions: MerchantTerms['conversions'];
}

/** Exactly one of the two amounts is given. `outputAmount` is what shall arrive after the fee. */
export interface ConversionRequest {
  readonly inputCurrency: string;
  readonly outputCurrency: string;
  readonly inputAmount?: Decimal | undefined;
  readonly outputAmount?: Decimal | undefined;
  readonly markupRatePercentage?: Decimal | undefined;
}

/** What a request calls its fields; an estimate as here, a conversion by sides. */
export type ConversionFields = Readonly<
  Record<'inputCurrency' | 'inputAmount' | 'outputCurrency' | 'outputAmount', string>
>;

const flatFields: ConversionFields = {
  inputCurrency: 'inputCurrency',
  inputAmount: 'inputAmount',
  outputCurrency: 'outputCurrency',
  outputAmount: 'outputAmount',
};

export type PricedConversion =
  | { readonly kind: 'priced'; readonly conversion: Conversion }
  | { readonly kind: 'refused'; readonly message: string };

const refused = (message: string): PricedConversion => ({ kind: 'refused', message });

/**
 * Works a conversion out at the current rate. Rounding always favours the service by less than one unit: the output is
 * rounded down, the input for a wanted output up, the fee half up.
 *
 * @param fields what a refusal calls them
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
  const { inputAmount, outputAmount } = request;
  if ((inputAmount === undefined) === (outputAmount === undefined)) {
    return refused(`exactly one of ${fields.inputAmount} and ${fields.outputAmount} is required`);
  }
  if (inputAmount !== undefined && decimalsOf(inputAmount) > token.decimals) {
    return refused(`${fields.inputAmount} has more than ${token.decimals} decimals`);
  }
  if (outputAmount !== undefined && decimalsOf(outputAmount) > fiat.decimals) {
    return refused(`${fields.outputAmount} has more than ${fiat.decimals} decimals`);
  }
  const markup = canonical(request.markupRatePercentage ?? '0');
  const rate = multiply(multiply(marketRate, subtract('100', markup)), '0.01');
  const feePercentage = terms.conversionFeePercentage;
  const charge = { feeFlat: '0', feePercentage };
  const input =
    inputAmount ?? divideRoundingUp(grossedUp(outputAmount ?? '0', charge, fiat.decimals), rate, token.decimals);
  const convertedAmount =
    outputAmount === undefined
      ? roundDown(multiply(input, rate), fiat.decimals)
      : grossedUp(outputAmount, charge, fiat.decimals);
  const fee = percentRoundedHalfUp(convertedAmount, feePercentage, fiat.decimals);
  const totalConvertedAmount = subtract(convertedAmount, fee);
  if (!isPositive(totalConvertedAmount)) return refused('the amount is too small to convert');
  return {
    kind: 'priced',
    conversion: {
      inputCurrency: token.code,
      inputAmount: canonical(input),
      outputCurrency: fiat.code,
      rate,
      convertedAmount,
      fee,
      totalConvertedAmount,
      markupRatePercentage: markup,
      wantedOutputAmount: outputAmount,
    },
  };
};

/** What is left of a rate when the sandbox lets it move against the merchant between quote and conversion. */
const movedRatePart = '0.95';

/**
 * The same input at a rate that has moved: what the sandbox makes of a magic amount.
 *
 * @returns undefined when nothing would be left of it
 */
export const atMovedRate = (
  { conversionFeePercentage }: Pick<ConversionTerms, 'conversionFeePercentage'>,
  conversion: Conversion,
): Conversion | undefined => {
  const decimals = fiatCurrencyOf(conversion.outputCurrency)?.decimals ?? 0;
  const rate = multiply(conversion.rate, movedRatePart);
  const convertedAmount = roundDown(multiply(conversion.inputAmount, rate), decimals);
  const fee = percentRoundedHalfUp(convertedAmount, conversionFeePercentage, decimals);
  const totalConvertedAmount = subtract(convertedAmount, fee);
  return isPositive(totalConvertedAmount)
    ? { ...conversion, rate, convertedAmount, fee, totalConvertedAmount }
    : undefined;
};
