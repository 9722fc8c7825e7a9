import Big from 'big.js';
import { InvariantBroken } from './errors.ts';

/** A constructor of its own: strict, so that a binary floating point number can never slip in. */
const Decimal = Big();
Decimal.strict = true;

const plainDecimal = /^\d+(\.\d+)?$/;

/** Canonical text of a decimal: no exponent, no zeros that say nothing. */
const text = (value: Big): string => value.toFixed();

/**
 * The amount of an input: digits, optionally a point and digits. Zeros before the number are dropped, decimals stay as
 * they were written. Undefined for everything else: signs, exponents, commas, spaces, a bare point.
 */
export const parseAmount = (input: string): string | undefined =>
  plainDecimal.test(input) ? (input.startsWith('0') ? input.replace(/^0+(?=\d)/, '') : input) : undefined;

/** Sum of exact decimals of one currency; `0` of none. */
export const addAmounts = (...amounts: readonly string[]): string =>
  text(amounts.reduce((sum, amount) => sum.plus(amount), new Decimal('0')));

/** a − b; negative when b is larger. */
export const subtractAmounts = (a: string, b: string): string => text(new Decimal(a).minus(b));

/** a − b, or `0` when b is larger. */
export const subtractDownToZero = (a: string, b: string): string => {
  const difference = new Decimal(a).minus(b);
  return difference.lt('0') ? '0' : text(difference);
};

/** amount × count, for a whole count. */
export const multiplyAmount = (amount: string, count: number): string => {
  if (!Number.isSafeInteger(count)) throw new InvariantBroken('an amount is multiplied by a whole number');
  return text(new Decimal(amount).times(String(count)));
};

/** Percent of an amount, exact: `0.5` percent of `10` is `0.05`. */
export const percentOf = (amount: string, percent: string): string =>
  text(new Decimal(amount).times(percent).times('0.01'));

/** amount × part ÷ whole, rounded down to the decimals given. */
export const shareRoundedDown = (amount: string, part: string, whole: string, decimals: number): string =>
  text(new Decimal(amount).times(part).div(whole).round(decimals, Big.roundDown));

export const smallerOf = (a: string, b: string): string => (compareAmounts(a, b) < 0 ? a : b);
export const largerOf = (a: string, b: string): string => (compareAmounts(a, b) < 0 ? b : a);

/** The amount of which so many percent less is this one, rounded up to the decimals given. Less than 100 percent. */
export const grossUp = (amount: string, percent: string, decimals: number): string =>
  text(new Decimal(amount).times('100').div(new Decimal('100').minus(percent)).round(decimals, Big.roundUp));

/** −1, 0 or 1. `10.50` equals `10.5`. */
export const compareAmounts = (a: string, b: string): -1 | 0 | 1 => new Decimal(a).cmp(b);

/** Whether two amounts are the same, give or take one unit of the last of so many decimals. */
export const differsByAtMostAUnit = (a: string, b: string, decimals: number): boolean =>
  new Decimal(a).minus(b).abs().lte(`1e-${decimals}`);

export const isPositive = (amount: string): boolean => new Decimal(amount).gt('0');

/** Rounds a fee up to the decimals given: what is set aside is never less than what may be charged. */
export const roundFeeUp = (fee: string, decimals: number): string =>
  text(new Decimal(fee).round(decimals, Decimal.roundUp));

/** Decimals that a plain decimal is written with. */
export const fractionDigits = (decimal: string): number => {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
};

/**
 * The amount in units of the last decimal: `1.5` with 2 decimals is 150n. For sums over a million rows, where it is as
 * exact as big.js and much faster. The amount must not have more decimals than given.
 */
export const toMinorUnits = (amount: string, decimals: number): bigint => {
  const fraction = fractionDigits(amount);
  if (fraction > decimals) throw new InvariantBroken(`an amount with ${fraction} decimals where ${decimals} are known`);
  const digits = fraction === 0 ? amount : amount.slice(0, -fraction - 1) + amount.slice(-fraction);
  return BigInt(digits + '0'.repeat(decimals - fraction));
};

/** The reverse of toMinorUnits, in canonical text. */
export const fromMinorUnits = (minor: bigint, decimals: number): string => text(new Decimal(`${minor}e-${decimals}`));
