import Big from 'big.js';
import { CurrencyMismatch, InvariantBroken } from '../errors.ts';
import { canonicalText, Decimal, divideRounded, fractionDigits, fromMinorUnits, toMinorUnits } from './decimal.ts';

const signedDecimal = /^-?\d+(\.\d+)?$/;

/** A part of a whole, as counts or as sums of one currency. The whole must not be zero. */
type Share<Currency extends string> =
  | { readonly part: number; readonly whole: number }
  | { readonly part: Money<Currency>; readonly whole: Money<Currency> };

const exactCount = (count: number): string => {
  if (!Number.isSafeInteger(count))
    throw new InvariantBroken('money can only be multiplied or divided by whole numbers');
  return String(count);
};

/**
 * A sum of money: an exact decimal with its currency. Immutable, and never a binary floating-point number.
 *
 * Currencies cannot be mixed. When both are known at compile time, as in `Money<'IDR'>` and `Money<'THB'>`, mixing them does not
 * compile. Otherwise the method throws CurrencyMismatch. Two methods take any currency: `equals` is then false, and
 * `ratePerUnitRoundedHalfUp` relates two currencies.
 *
 * Results are exact and in canonical text. A method that rounds says so in its name.
 */
export class Money<Currency extends string = string> {
  readonly currency: Currency;
  /**
   * A decimal without exponent. Money that was read keeps its decimals as written, because reports, stored conditions and
   * approvals show them: `10.50` may be here and equals `10.5`. Computed money is canonical, without trailing zeros.
   */
  readonly amount: string;

  private constructor(amount: string, currency: Currency) {
    this.amount = amount;
    this.currency = currency;
  }

  /**
   * Reads money from text: digits, optionally a minus before them, optionally a point and more digits.
   *
   * @throws InvariantBroken for any other text
   */
  static of<const Currency extends string>(amount: string, currency: Currency): Money<Currency> {
    if (!signedDecimal.test(amount)) throw new InvariantBroken('an amount of money is not a decimal');
    return new Money(amount, currency);
  }

  static zero<const Currency extends string>(currency: Currency): Money<Currency> {
    return new Money('0', currency);
  }

  /** @param decimals position of the last digit: 150n with 2 decimals is 1.5 */
  static fromMinorUnits<const Currency extends string>(
    minor: bigint,
    currency: Currency,
    decimals: number,
  ): Money<Currency> {
    return new Money(fromMinorUnits(minor, decimals), currency);
  }

  /** Adds amounts. Zero when there are none. */
  static sum<const Currency extends string>(
    currency: Currency,
    amounts: Iterable<Money<NoInfer<Currency>>>,
  ): Money<Currency> {
    let sum = new Decimal('0');
    const zero = Money.zero(currency);
    for (const amount of amounts) sum = sum.plus(zero.#amountInSameCurrency(amount));
    return new Money(canonicalText(sum), currency);
  }

  plus(other: Money<Currency>): Money<Currency> {
    return this.#with(this.#exact().plus(this.#amountInSameCurrency(other)));
  }

  /** Negative when the other is larger. */
  minus(other: Money<Currency>): Money<Currency> {
    return this.#with(this.#exact().minus(this.#amountInSameCurrency(other)));
  }

  /** Zero when the other is larger. */
  minusDownToZero(other: Money<Currency>): Money<Currency> {
    return this.isAtLeast(other) ? this.minus(other) : Money.zero(this.currency);
  }

  /** @param count a whole number */
  times(count: number): Money<Currency> {
    return this.#with(this.#exact().times(exactCount(count)));
  }

  /** Returns this percentage of the money, exactly: `0.5` percent of 10 is 0.05. */
  percent(percent: string): Money<Currency> {
    return this.#with(this.#exact().times(percent).times('0.01'));
  }

  /** Returns this money × part ÷ whole, rounded down. */
  shareRoundedDown(share: Share<Currency>, decimals: number): Money<Currency> {
    return this.#with(this.#share(share, decimals, 'down'));
  }

  /** Like shareRoundedDown, but rounds up. The part may be larger than the whole. */
  shareRoundedUp(share: Share<Currency>, decimals: number): Money<Currency> {
    return this.#with(this.#share(share, decimals, 'up'));
  }

  /** Returns the amount that leaves this money once `percent` of it is subtracted. `percent` must be below 100. */
  grossedUpRoundedUp(percent: string, decimals: number): Money<Currency> {
    const left = new Decimal('100').minus(percent);
    if (left.lte('0')) throw new InvariantBroken('a percentage to subtract must be below 100');
    return this.#with(divideRounded(this.#exact().times('100'), left, decimals, 'up'));
  }

  roundedUp(decimals: number): Money<Currency> {
    return this.#with(this.#exact().round(decimals, Big.roundUp));
  }

  /**
   * Returns how much of this money one unit of the other currency is worth, with at most 20 decimals.
   *
   * @throws Error when the other amount is zero
   */
  ratePerUnitRoundedHalfUp(other: Money): string {
    return canonicalText(this.#exact().div(other.amount));
  }

  /** True when both are the same amount of the same currency, however it is written. */
  equals(other: Money): boolean {
    return this.currency === other.currency && this.#exact().eq(other.amount);
  }

  isMoreThan(other: Money<Currency>): boolean {
    return this.#exact().gt(this.#amountInSameCurrency(other));
  }

  isAtLeast(other: Money<Currency>): boolean {
    return this.#exact().gte(this.#amountInSameCurrency(other));
  }

  /** True when both differ by at most one unit of the last of `decimals` decimals. */
  isWithinAUnitOf(other: Money<Currency>, decimals: number): boolean {
    return this.#exact().minus(this.#amountInSameCurrency(other)).abs().lte(`1e-${decimals}`);
  }

  isPositive(): boolean {
    return this.#exact().gt('0');
  }

  isZero(): boolean {
    return this.#exact().eq('0');
  }

  smallerOf(other: Money<Currency>): Money<Currency> {
    return this.isMoreThan(other) ? other : this;
  }

  largerOf(other: Money<Currency>): Money<Currency> {
    return this.isAtLeast(other) ? this : other;
  }

  /** The same money without trailing zeros, as sums are. */
  canonical(): Money<Currency> {
    return this.#with(this.#exact());
  }

  /** Number of digits after its point. */
  decimals(): number {
    return fractionDigits(this.amount);
  }

  /**
   * Converts the money to units of the last of `decimals` decimals. It must not be negative.
   *
   * @throws InvariantBroken when it has more decimals
   */
  inMinorUnits(decimals: number): bigint {
    return toMinorUnits(this.amount, decimals);
  }

  /** Throws, because money in a template text would lose its currency, and `<` would compare its text. */
  [Symbol.toPrimitive](): never {
    throw new TypeError('money is neither text nor a number: use its amount or its currency');
  }

  #exact(): Big {
    return new Decimal(this.amount);
  }

  #with(exact: Big): Money<Currency> {
    return new Money(canonicalText(exact), this.currency);
  }

  /** Returns the other's amount, after checking the currency. */
  #amountInSameCurrency(other: Money): string {
    if (other.currency !== this.currency) throw new CurrencyMismatch(this.currency, other.currency);
    return other.amount;
  }

  #share({ part, whole }: Share<Currency>, decimals: number, rounding: 'down' | 'up'): Big {
    const text = (share: number | Money<Currency>): string =>
      typeof share === 'number' ? exactCount(share) : this.#amountInSameCurrency(share);
    return divideRounded(this.#exact().times(text(part)), new Decimal(text(whole)), decimals, rounding);
  }
}
