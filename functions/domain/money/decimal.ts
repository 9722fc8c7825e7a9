import Big from 'big.js';
import { InvariantBroken } from '../errors.ts';

/** A separate Big constructor in strict mode, which rejects binary floating-point numbers. */
export const Decimal = Big();
Decimal.strict = true;

const plainDecimal = /^\d+(\.\d+)?$/;

/** Canonical text of a decimal: no exponent and no trailing zeros. */
export const canonicalText = (value: Big): string => value.toFixed();

/**
 * Reads an amount from a user's input: digits, optionally a point and more digits. Drops leading zeros and keeps the decimals as
 * written. Undefined for anything else: signs, exponents, commas, spaces, a bare point.
 */
export const parseAmount = (input: string): string | undefined =>
  plainDecimal.test(input) ? (input.startsWith('0') ? input.replace(/^0+(?=\d)/, '') : input) : undefined;

/** −1, 0 or 1. `10.50` equals `10.5`. */
export const compareDecimals = (a: string, b: string): -1 | 0 | 1 => new Decimal(a).cmp(b);

/** Subtracts a percentage of the decimal from it, exactly: `10` less `0.5` percent is `9.95`. */
export const lessPercent = (decimal: string, percent: string): string => {
  const whole = new Decimal(decimal);
  return canonicalText(whole.minus(whole.times(percent).times('0.01')));
};

/**
 * The exact quotient of two numbers that are not negative, rounded once. big.js rounds a quotient half up at 20 decimals, which
 * could lift it over the next unit or hide a remainder.
 */
export const divideRounded = (dividend: Big, divisor: Big, decimals: number, rounding: 'down' | 'up'): Big => {
  const unit = `1e-${decimals}`;
  const near = dividend.div(divisor).round(decimals, Big.roundDown);
  const cut = near.times(divisor).gt(dividend) ? near.minus(unit) : near;
  return rounding === 'up' && cut.times(divisor).lt(dividend) ? cut.plus(unit) : cut;
};

/** Number of digits after the point of a plain decimal. */
export const fractionDigits = (decimal: string): number => {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
};

/**
 * Converts a plain decimal to units of its last decimal: `1.5` with 2 decimals is 150n. For sums over a million rows, where it is
 * as exact as big.js and much faster.
 *
 * @throws InvariantBroken when it has more than the given decimals
 */
export const toMinorUnits = (decimal: string, decimals: number): bigint => {
  const fraction = fractionDigits(decimal);
  if (fraction > decimals)
    throw new InvariantBroken(`an amount has ${fraction} decimals, and at most ${decimals} are allowed`);
  const digits = fraction === 0 ? decimal : decimal.slice(0, -fraction - 1) + decimal.slice(-fraction);
  return BigInt(digits + '0'.repeat(decimals - fraction));
};

/** The reverse of toMinorUnits, in canonical text. */
export const fromMinorUnits = (minor: bigint, decimals: number): string =>
  canonicalText(new Decimal(`${minor}e-${decimals}`));
