import type { MerchantTerms } from '../account.ts';
import { mayConvert } from '../account.ts';
import type { Conversion } from '../conversions/conversion.ts';
import { crossRateOf, rateOf } from '../conversions/rates.ts';
import type { Asset, FiatCurrency } from '../money/currencies.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import type { Charge } from '../money/gross-up.ts';
import { chargeOf, grossedUp } from '../money/gross-up.ts';
import type { Decimal } from '../money/money.ts';
import {
  add,
  canonical,
  decimalsOf,
  divideRoundingDown,
  divideRoundingUp,
  isEqual,
  isLess,
  isPositive,
  multiply,
  roundDown,
  roundUp,
  smallestUnit,
  subtract,
} from '../money/money.ts';
import type { DepositPrice } from './deposit.ts';

export interface PriceTerms {
  /** Rates that replace those of the table, by `<token>/<fiat>`. */
  readonly rates: Readonly<Record<string, Decimal>>;
  /** Percent of what is converted, as `POST /v1/convert` takes it. */
  readonly conversionFeePercentage: Decimal;
  readonly account: MerchantTerms;
}

export type Refused = { readonly kind: 'refused'; readonly message: string };
export type PricedDeposit = { readonly kind: 'priced'; readonly price: DepositPrice } | Refused;

export const refused = (message: string): Refused => ({ kind: 'refused', message });

/** What the balance is kept in, and how the payment becomes that. */
export type OutputSide = { readonly kind: 'same' } | Converted;

interface Converted {
  readonly kind: 'converted';
  readonly output: Asset;
  /** Fiat for one token, and of two of a kind, output for one unit of input. */
  readonly rate: Decimal;
  readonly conversionFeePercentage: Decimal;
  /** How many tokens a quote promised the rate for; undefined at the current rate. */
  readonly quotedTokens: Decimal | undefined;
}

/** The current rate of a pair, as `Converted` has it, once it is known that the merchant may convert it. */
const currentRate = (terms: PriceTerms, input: Asset, output: Asset): Decimal | Refused => {
  const [token, fiat] = input.type === 'crypto' ? [input, output] : [output, input];
  const rate =
    input.type === output.type
      ? crossRateOf(terms.rates, input.type, input.code, output.code)
      : rateOf(terms.rates, token.code, fiat.code);
  if (rate === undefined) return refused('this pair cannot be converted');
  return mayConvert(terms.account, input.code, output.code)
    ? rate
    : refused('conversion is not enabled for this pair of currencies');
};

/**
 * What a deposit's output currency asks for: nothing, or a conversion.
 *
 * @param quoted a quote's conversion, whose rate then counts instead of the current one. Its markup lowers the rate, which
 * is the merchant's loss when tokens are sold and would be the service's when they are bought: such a quote is refused.
 */
export const outputSide = (
  terms: PriceTerms,
  input: Asset,
  outputCurrency: string,
  quoted: Conversion | undefined,
): OutputSide | Refused => {
  const output = fiatCurrencyOf(outputCurrency) ?? tokenOf(outputCurrency);
  if (output === undefined) return refused('outputCurrency is not supported');
  if (output.code === input.code) {
    return quoted === undefined ? { kind: 'same' } : refused('the quote is for other currencies');
  }
  const rate = currentRate(terms, input, output);
  if (typeof rate !== 'string') return rate;
  const { conversionFeePercentage } = terms;
  if (quoted === undefined) {
    return { kind: 'converted', output, rate, conversionFeePercentage, quotedTokens: undefined };
  }
  const pair = [quoted.inputCurrency, quoted.outputCurrency];
  if (!pair.includes(input.code) || !pair.includes(output.code)) return refused('the quote is for other currencies');
  if (output.type === 'crypto' && !isEqual(quoted.markupRatePercentage, '0')) {
    return refused('a quote with a markup is for conversions from crypto only');
  }
  return { kind: 'converted', output, rate: quoted.rate, conversionFeePercentage, quotedTokens: quoted.inputAmount };
};

/** Whether the rate is for one unit of the output: where tokens are bought with fiat. */
const isRateOfOutput = (input: Asset, { output }: Converted): boolean =>
  input.type === 'fiat' && output.type === 'crypto';

/** What a payment becomes before the conversion fee, in the output currency, rounded down. */
const converted = (input: Asset, side: Converted, net: Decimal): Decimal =>
  isRateOfOutput(input, side)
    ? divideRoundingDown(net, side.rate, side.output.decimals)
    : roundDown(multiply(net, side.rate), side.output.decimals);

/**
 * The most that may be left of a payment for a conversion of so many tokens. Fiat is paid in smallest units: the price
 * is rounded up, and a fee that is rounded may leave a unit more.
 */
const quotedOf = (input: Asset, { rate }: Converted, tokens: Decimal): Decimal =>
  input.type === 'crypto' ? tokens : add(roundUp(multiply(tokens, rate), input.decimals), smallestUnit(input.decimals));

/** The charge of a conversion, as of an amount in its output currency. */
const conversionCharge = ({ conversionFeePercentage }: Converted): Charge => ({
  feeFlat: '0',
  feePercentage: conversionFeePercentage,
});

/** What must be left of a payment of fiat for `wanted` to arrive, rounded up. */
const neededNet = (input: FiatCurrency, side: OutputSide, wanted: Decimal): Decimal => {
  if (side.kind === 'same') return wanted;
  const needed = grossedUp(wanted, conversionCharge(side), side.output.decimals);
  return isRateOfOutput(input, side)
    ? roundUp(multiply(needed, side.rate), input.decimals)
    : divideRoundingUp(needed, side.rate, input.decimals);
};

type Arrival = Pick<DepositPrice, 'outputCurrency' | 'outputAmount' | 'exchangeRate' | 'conversionFee'>;

/** What is left of a payment on the output side. */
const arriving = (input: Asset, side: OutputSide, net: Decimal): Arrival | Refused => {
  if (side.kind === 'same') return { outputCurrency: input.code, outputAmount: net, exchangeRate: undefined };
  const { output, rate, quotedTokens } = side;
  if (quotedTokens !== undefined && isLess(quotedOf(input, side, quotedTokens), net)) {
    return refused(`the quote is for at most ${quotedTokens} tokens before the conversion fee`);
  }
  const amount = converted(input, side, net);
  const conversionFee = chargeOf(conversionCharge(side), amount, output.decimals);
  return {
    outputCurrency: output.code,
    outputAmount: subtract(amount, conversionFee),
    exchangeRate: rate,
    conversionFee,
  };
};

/** The price of a payment of exactly `inputAmount`. */
export const priceOfInput = (input: Asset, charge: Charge, side: OutputSide, inputAmount: Decimal): PricedDeposit => {
  if (decimalsOf(inputAmount) > input.decimals) {
    return refused(`inputAmount has more than ${input.decimals} decimals`);
  }
  const fee = chargeOf(charge, inputAmount, input.decimals);
  const arrival = arriving(input, side, subtract(inputAmount, fee));
  if ('kind' in arrival) return arrival;
  if (!isPositive(arrival.outputAmount)) return refused('the amount is too small: nothing is left after the fee');
  return {
    kind: 'priced',
    price: {
      inputCurrency: input.code,
      inputAmount: canonical(inputAmount),
      fee,
      feePercentage: charge.feePercentage,
      ...arrival,
    },
  };
};

/** The price of the smallest payment of fiat that leaves at least `wanted`. */
export const priceOfOutput = (
  input: FiatCurrency,
  charge: Charge,
  side: OutputSide,
  wanted: Decimal,
): PricedDeposit => {
  const decimals = side.kind === 'same' ? input.decimals : side.output.decimals;
  if (decimalsOf(wanted) > decimals) return refused(`outputAmount has more than ${decimals} decimals`);
  return priceOfInput(input, charge, side, grossedUp(neededNet(input, side, wanted), charge, input.decimals));
};
