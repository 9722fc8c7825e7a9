import Big from 'big.js';

/**
 * An exact decimal in plain notation: `"1250.5"`. Never a JavaScript number. Rates, percentages and probabilities are
 * decimals; so are amounts on the wire, in table items and in settings. Everywhere else an amount is `Money`.
 */
export type Decimal = string;

/** Our own constructor, so that another module's precision settings do not change ours. Quotients carry 40 decimals. */
const Exact = Big();
Exact.DP = 40;

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

/** The smallest step of a value with `decimals` decimals: `0.01` for 2. */
export const unitOf = (decimals: number): Decimal => plain(new Exact(`1e-${decimals}`));

export const roundHalfUp = (value: Decimal, decimals: number): Decimal =>
  plain(new Exact(value).round(decimals, Big.roundHalfUp));

/** Toward zero. */
export const roundDown = (value: Decimal, decimals: number): Decimal =>
  plain(new Exact(value).round(decimals, Big.roundDown));

/** Away from zero. */
export const roundUp = (value: Decimal, decimals: number): Decimal =>
  plain(new Exact(value).round(decimals, Big.roundUp));

/** The quotient of two positive decimals, rounded down exactly: lowers the last digit if the division rounded it up. */
export const divideRoundingDown = (dividend: Decimal, divisor: Decimal, decimals: number): Decimal => {
  const cut = new Exact(dividend).div(divisor).round(decimals, Big.roundDown);
  return plain(cut.times(divisor).gt(dividend) ? cut.minus(unitOf(decimals)) : cut);
};

/** The quotient of two positive decimals, rounded up exactly: raises the last digit if anything was cut off. */
export const divideRoundingUp = (dividend: Decimal, divisor: Decimal, decimals: number): Decimal => {
  const cut = new Exact(dividend).div(divisor).round(decimals, Big.roundDown);
  return plain(cut.times(divisor).lt(dividend) ? cut.plus(unitOf(decimals)) : cut);
};
