import Big from 'big.js';

/** An exact decimal in plain notation: `"1250.5"`. Never a JavaScript number. */
export type Decimal = string;

/** A constructor of our own, so that nobody else's setting of precision changes ours. Quotients carry 40 decimals. */
const Exact = Big();
Exact.DP = 40;

const plain = (value: Big): Decimal => value.toFixed();

/** Decimals are compared and written without trailing zeros: `1.50` is `1.5`. */
export const canonical = (value: Decimal): Decimal => plain(new Exact(value));

export const add = (a: Decimal, b: Decimal): Decimal => plain(new Exact(a).plus(b));
export const subtract = (a: Decimal, b: Decimal): Decimal => plain(new Exact(a).minus(b));
export const multiply = (a: Decimal, b: Decimal): Decimal => plain(new Exact(a).times(b));
export const sum = (values: readonly Decimal[]): Decimal => values.reduce(add, '0');
export const negate = (value: Decimal): Decimal => plain(new Exact(value).times(-1));

export const isLess = (a: Decimal, b: Decimal): boolean => new Exact(a).lt(b);
export const isEqual = (a: Decimal, b: Decimal): boolean => new Exact(a).eq(b);
export const isPositive = (value: Decimal): boolean => new Exact(value).gt(0);

/** How many decimals the value really has: 1 for `1.50`. */
export const decimalsOf = (value: Decimal): number => canonical(value).split('.')[1]?.length ?? 0;

export const roundHalfUp = (value: Decimal, decimals: number): Decimal =>
  plain(new Exact(value).round(decimals, Big.roundHalfUp));

export const roundDown = (value: Decimal, decimals: number): Decimal =>
  plain(new Exact(value).round(decimals, Big.roundDown));

/** Away from zero, for amounts that must not fall short. */
export const roundUp = (value: Decimal, decimals: number): Decimal =>
  plain(new Exact(value).round(decimals, Big.roundUp));

/** The quotient cut off, exactly: the last kept decimal is lowered when the division itself had rounded it up. */
export const divideRoundingDown = (dividend: Decimal, divisor: Decimal, decimals: number): Decimal => {
  const cut = new Exact(dividend).div(divisor).round(decimals, Big.roundDown);
  return plain(cut.times(divisor).gt(dividend) ? cut.minus(smallestUnit(decimals)) : cut);
};

/** The quotient rounded away from zero, exactly: the last kept decimal is raised when anything was cut off. */
export const divideRoundingUp = (dividend: Decimal, divisor: Decimal, decimals: number): Decimal => {
  const cut = new Exact(dividend).div(divisor).round(decimals, Big.roundDown);
  return plain(cut.times(divisor).lt(dividend) ? cut.plus(smallestUnit(decimals)) : cut);
};

/** The smallest amount of a currency with so many decimals: `0.01` for 2. */
export const smallestUnit = (decimals: number): Decimal => plain(new Exact(`1e-${decimals}`));

/** `percentage` percent of `amount`, rounded half up to the currency's decimals. */
export const percentRoundedHalfUp = (amount: Decimal, percentage: Decimal, decimals: number): Decimal =>
  roundHalfUp(plain(new Exact(amount).times(percentage).times('0.01')), decimals);
