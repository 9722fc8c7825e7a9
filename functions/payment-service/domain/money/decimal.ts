import Big from 'big.js';

/**
 * An exact decimal in plain notation: `"1250.5"`. Never a JavaScript number. Rates, percentages and probabilities are
 * decimals; so are amounts on the wire, in table items and in settings. Everywhere else an amount is `Money`.
 */
export type Decimal = string;

/** Our own constructor, so that another module's precision settings do not change ours. */
const Exact = Big();

const plain = (value: Big): Decimal => value.toFixed();

/** The same decimal without trailing zeros: `1.50` becomes `1.5`. */
export const canonical = (value: Decimal): Decimal => plain(new Exact(value));

export const add = (a: Decimal, b: Decimal): Decimal => plain(new Exact(a).plus(b));
export const subtract = (a: Decimal, b: Decimal): Decimal => plain(new Exact(a).minus(b));
export const multiply = (a: Decimal, b: Decimal): Decimal => plain(new Exact(a).times(b));

export const isLess = (a: Decimal, b: Decimal): boolean => new Exact(a).lt(b);
export const isPositive = (value: Decimal): boolean => new Exact(value).gt(0);

/** How many decimals the value has: 1 for `1.50`. */
export const decimalsOf = (value: Decimal): number => canonical(value).split('.')[1]?.length ?? 0;

const roundings = { down: Big.roundDown, up: Big.roundUp, halfUp: Big.roundHalfUp };

/** Toward zero, away from zero, or to the nearest, where a half goes away from zero. */
type Rounding = keyof typeof roundings;

export const round = (value: Decimal, decimals: number, rounding: Rounding): Decimal =>
  plain(new Exact(value).round(decimals, roundings[rounding]));

/** The quotient, rounded exactly: the division itself rounds, while it still knows its remainder. */
export const divide = (dividend: Decimal, divisor: Decimal, decimals: number, rounding: Rounding): Decimal => {
  const Quotient = Big();
  Quotient.DP = decimals;
  Quotient.RM = roundings[rounding];
  return plain(new Quotient(dividend).div(divisor));
};
