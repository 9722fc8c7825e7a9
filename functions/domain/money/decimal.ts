import Big from 'big.js';
import { InvariantBroken } from '../errors.ts';

/** A constructor of its own. It is strict, so that a binary floating-point number can never slip in. */
export const Decimal = Big();
Decimal.strict = true;

const plainDecimal = /^\d+(\.\d+)?$/;

/** Canonical text of a decimal: no exponent, no zeros that say nothing. */
export const canonicalText = (value: Big): string => value.toFixed();

/**
 * Reads an amount from a user's input: digits, optionally a point and more digits. Drops zeros before the number and keeps the
 * decimals as they were written. Undefined for everything else: signs, exponents, commas, spaces, a bare point.
 */
export const parseAmount = (input: string): string | undefined =>
  plainDecimal.test(input) ? (input.startsWith('0') ? input.replace(/^0+(?=\d)/, '') : input) : undefined;

/** −1, 0 or 1. `10.50` equals `10.5`. */
export const compareDecimals = (a: string, b: string): -1 | 0 | 1 => new Decimal(a).cmp(b);

/** The decimal less so many percent of it, exact: `10` less `0.5` percent is `9.95`. */
export const lessPercent = (decimal: string, percent: string): string => {
  const whole = new Decimal(decimal);
  return canonicalText(whole.minus(whole.times(percent).times('0.01')));
};

/** How many digits a plain decimal has after its point. */
export const fractionDigits = (decimal: string): number => {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
};

/**
 * A plain decimal in units of its last decimal: `1.5` with 2 decimals is 150n. For sums over a million rows, where it is as
 * exact as big.js and much faster.
 *
 * @throws InvariantBroken when it has more decimals than given
 */
export const toMinorUnits = (decimal: string, decimals: number): bigint => {
  const fraction = fractionDigits(decimal);
  if (fraction > decimals) throw new InvariantBroken(`an amount with ${fraction} decimals where ${decimals} are known`);
  const digits = fraction === 0 ? decimal : decimal.slice(0, -fraction - 1) + decimal.slice(-fraction);
  return BigInt(digits + '0'.repeat(decimals - fraction));
};

/** The reverse of toMinorUnits, in canonical text. */
export const fromMinorUnits = (minor: bigint, decimals: number): string =>
  canonicalText(new Decimal(`${minor}e-${decimals}`));
