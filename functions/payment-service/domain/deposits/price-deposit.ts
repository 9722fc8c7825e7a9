import type { MerchantTerms } from '../account.ts';
import { mayConvert } from '../account.ts';
import type { Conversion, ConversionTerms } from '../conversions/conversion.ts';
import { conversionCharge } from '../conversions/conversion.ts';
import { crossRateOf, rateOf } from '../conversions/rates.ts';
import type { Asset, FiatCurrency } from '../money/currencies.ts';
import { fiatCurrencyOf, tokenOf } from '../money/currencies.ts';
import type { Decimal } from '../money/decimal.ts';
import { isPositive } from '../money/decimal.ts';
import type { Charge } from '../money/fees-and-limits.ts';
import { chargeOf, grossedUp, tooManyDecimals } from '../money/fees-and-limits.ts';
import { Money } from '../money/money.ts';
import { Refused } from '../refused.ts';
import type { DepositPrice } from './deposit.ts';

export interface PriceTerms extends ConversionTerms {
  readonly account: MerchantTerms;
}

/** The balance's currency, and the conversion into it if there is one. */
type OutputSide = { readonly kind: 'same'; readonly output: Asset } | Converted;

interface Converted {
  readonly kind: 'converted';
  readonly output: Asset;
  /** Fiat per token. Between two tokens or two fiat currencies: output per unit of input. */
  readonly rate: Decimal;
  /** The fee of the conversion, on its output. */
  readonly charge: Charge;
  /** The number of tokens for which a quote promised the rate. Undefined at the current rate. */
  readonly quotedTokens: Money | undefined;
}

/** The current rate of a pair in the unit of `Converted`, provided that the merchant may convert it. */
const currentRate = (terms: PriceTerms, input: Asset, output: Asset): Decimal | Refused => {
  const [token, fiat] = input.type === 'crypto' ? [input, output] : [output, input];
  const rate =
    input.type === output.type ? crossRateOf(terms.rates, input, output) : rateOf(terms.rates, token.code, fiat.code);
  if (rate === undefined) return new Refused('this pair cannot be converted');
  return mayConvert(terms.account, input.code, output.code)
    ? rate
    : new Refused('conversion is not enabled for this pair of currencies');
};

/**
 * Decides how a deposit reaches its output currency: unconverted, or by a conversion.
 *
 * @param quoted a quote's conversion. Its rate then replaces the current one. A markup lowers the rate. That costs the
 * merchant when tokens are sold, but would cost the service when they are bought, so such a quote is refused.
 */
export const outputSide = (
  terms: PriceTerms,
  input: Asset,
  outputCurrency: string,
  quoted: Conversion | undefined,
): OutputSide | Refused => {
  const output = fiatCurrencyOf(outputCurrency) ?? tokenOf(outputCurrency);
  if (output === undefined) return new Refused('outputCurrency is not supported');
  if (output.code === input.code)
    return quoted === undefined ? { kind: 'same', output } : new Refused('the quote is for other currencies');
  const rate = currentRate(terms, input, output);
  if (rate instanceof Refused) return rate;
  const charge = conversionCharge(terms, output.code);
  if (quoted === undefined) return { kind: 'converted', output, rate, charge, quotedTokens: undefined };
  const pair = [quoted.input.currency, quoted.total.currency];
  if (!pair.includes(input.code) || !pair.includes(output.code))
    return new Refused('the quote is for other currencies');
  if (output.type === 'crypto' && isPositive(quoted.markupRatePercentage))
    return new Refused('a quote with a markup is for conversions from crypto only');
  return { kind: 'converted', output, rate: quoted.rate, charge, quotedTokens: quoted.input };
};

/** Whether the rate is per unit of the output, as when fiat buys tokens. */
const isRateOfOutput = (input: Asset, { output }: Converted): boolean =>
  input.type === 'fiat' && output.type === 'crypto';

/** The amount that a payment becomes before the conversion fee, rounded down. */
const converted = (input: Asset, side: Converted, net: Money): Money =>
  isRateOfOutput(input, side)
    ? net.dividedRoundedDown(side.rate, side.output.code)
    : net.timesRoundedDown(side.rate, side.output.code);

/**
 * The most that may remain of a payment after fees when it uses a quote for `tokens`. Fiat is paid in smallest units:
 * the price is rounded up, and one unit more is tolerated.
 */
const quotedOf = (input: Asset, { rate }: Converted, tokens: Money): Money =>
  input.type === 'crypto' ? tokens : tokens.timesRoundedUp(rate, input.code).plus(Money.smallestUnit(input.code));

/** The amount of fiat that must remain of a payment for `wanted` to arrive, rounded up. */
const neededNet = (input: FiatCurrency, side: OutputSide, wanted: Money): Money => {
  if (side.kind === 'same') return wanted;
  const needed = grossedUp(wanted, side.charge);
  return isRateOfOutput(input, side)
    ? needed.timesRoundedUp(side.rate, input.code)
    : needed.dividedRoundedUp(side.rate, input.code);
};

type Arrival = Pick<DepositPrice, 'output' | 'exchangeRate' | 'conversionFee'>;

/** The part of a payment that reaches the output side. */
const arriving = (input: Asset, side: OutputSide, net: Money): Arrival | Refused => {
  if (side.kind === 'same') return { output: net, exchangeRate: undefined };
  const { rate, quotedTokens } = side;
  if (quotedTokens !== undefined && quotedOf(input, side, quotedTokens).isLessThan(net))
    return new Refused(`the quote is for at most ${quotedTokens.amount} tokens before the conversion fee`);
  const amount = converted(input, side, net);
  const conversionFee = chargeOf(side.charge, amount);
  return { output: amount.minus(conversionFee), exchangeRate: rate, conversionFee };
};

/** The price of a payment of exactly `paid`. */
export const priceOfInput = (input: Asset, charge: Charge, side: OutputSide, paid: Money): DepositPrice | Refused => {
  const tooFine = tooManyDecimals('inputAmount', paid);
  if (tooFine !== undefined) return new Refused(tooFine);
  const fee = chargeOf(charge, paid);
  const arrival = arriving(input, side, paid.minus(fee));
  if (arrival instanceof Refused) return arrival;
  if (!arrival.output.isPositive()) return new Refused('the amount is too small: nothing is left after the fee');
  return { input: paid, fee, feePercentage: charge.feePercentage, ...arrival };
};

/** The price of the smallest fiat payment that leaves at least `wanted`, which is in the output's currency. */
export const priceOfOutput = (
  input: FiatCurrency,
  charge: Charge,
  side: OutputSide,
  wanted: Money,
): DepositPrice | Refused => {
  const tooFine = tooManyDecimals('outputAmount', wanted);
  if (tooFine !== undefined) return new Refused(tooFine);
  return priceOfInput(input, charge, side, grossedUp(neededNet(input, side, wanted), charge));
};
