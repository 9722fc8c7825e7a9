import { decimalsIn } from './currencies.ts';
import type { Decimal } from './decimal.ts';
import { add, canonical, decimalsOf, divide, isLess, isPositive, multiply, round, subtract } from './decimal.ts';

/** Two amounts in different currencies met in one calculation. This is a bug: one of them must be converted first. */
export class CurrencyMismatch extends Error {
  override readonly name = 'CurrencyMismatch';

  constructor(one: string, other: string) {
    super(`an amount in ${one} meets one in ${other}`);
  }
}

const currencyOfBoth = <Currency extends string>(one: Money<Currency>, other: Money<Currency>): Currency => {
  if (one.currency !== other.currency) throw new CurrencyMismatch(one.currency, other.currency);
  return one.currency;
};

/**
 * An exact amount of one currency, positive or negative. Combining two currencies does not compile where both are known
 * by name, and throws `CurrencyMismatch` where they are not. A method that rounds says how in its name. It rounds to
 * the decimals that `currencies.ts` gives the result's currency.
 */
export class Money<Currency extends string = string> {
  readonly currency: Currency;
  /** Plain notation without trailing zeros, so that equal amounts have equal text. */
  readonly amount: Decimal;

  private constructor(amount: Decimal, currency: Currency) {
    this.amount = canonical(amount);
    this.currency = currency;
  }

  /** @throws Error when `amount` is not a decimal */
  static of<Currency extends string>(amount: Decimal, currency: Currency): Money<Currency> {
    return new Money(amount, currency);
  }

  /** The same for text that may be absent. */
  static ofOptional<Currency extends string>(
    amount: Decimal | undefined,
    currency: Currency,
  ): Money<Currency> | undefined {
    return amount === undefined ? undefined : new Money(amount, currency);
  }

  static zero<Currency extends string>(currency: Currency): Money<Currency> {
    return new Money('0', currency);
  }

  /** `0.01` of a currency with two decimals. */
  static smallestUnit<Currency extends string>(currency: Currency): Money<Currency> {
    return new Money(`1e-${decimalsIn(currency)}`, currency);
  }

  static sum<Currency extends string>(
    currency: Currency,
    amounts: readonly Money<NoInfer<Currency>>[],
  ): Money<Currency> {
    return amounts.reduce((total, one) => total.plus(one), Money.zero(currency));
  }

  plus(other: Money<Currency>): Money<Currency> {
    return new Money(add(this.amount, other.amount), currencyOfBoth(this, other));
  }

  minus(other: Money<Currency>): Money<Currency> {
    return new Money(subtract(this.amount, other.amount), currencyOfBoth(this, other));
  }

  negated(): Money<Currency> {
    return new Money(multiply(this.amount, '-1'), this.currency);
  }

  isLessThan(other: Money<Currency>): boolean {
    currencyOfBoth(this, other);
    return isLess(this.amount, other.amount);
  }

  isZero(): boolean {
    return this.amount === '0';
  }

  isPositive(): boolean {
    return isPositive(this.amount);
  }

  isNegative(): boolean {
    return isLess(this.amount, '0');
  }

  /** Whether it has more decimals than its currency. */
  isTooFine(): boolean {
    return decimalsOf(this.amount) > decimalsIn(this.currency);
  }

  /** `percentage` percent of it: `0.5` is half a percent. */
  percentRoundedHalfUp(percentage: Decimal): Money<Currency> {
    const exact = multiply(multiply(this.amount, percentage), '0.01');
    return new Money(round(exact, decimalsIn(this.currency), 'halfUp'), this.currency);
  }

  /** Converts into another currency: one unit of this buys `rate` of it. Rounds toward zero. */
  timesRoundedDown<Other extends string>(rate: Decimal, currency: Other): Money<Other> {
    return new Money(round(multiply(this.amount, rate), decimalsIn(currency), 'down'), currency);
  }

  /** Converts likewise, but rounds away from zero. */
  timesRoundedUp<Other extends string>(rate: Decimal, currency: Other): Money<Other> {
    return new Money(round(multiply(this.amount, rate), decimalsIn(currency), 'up'), currency);
  }

  /** Converts into another currency: one unit of it costs `rate` of this. Rounds toward zero. */
  dividedRoundedDown<Other extends string>(rate: Decimal, currency: Other): Money<Other> {
    return new Money(divide(this.amount, rate, decimalsIn(currency), 'down'), currency);
  }

  /** Converts likewise, but rounds away from zero. */
  dividedRoundedUp<Other extends string>(rate: Decimal, currency: Other): Money<Other> {
    return new Money(divide(this.amount, rate, decimalsIn(currency), 'up'), currency);
  }
}
