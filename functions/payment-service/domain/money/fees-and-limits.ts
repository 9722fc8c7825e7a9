import { decimalsIn } from './currencies.ts';
import type { Decimal } from './decimal.ts';
import { multiply, subtract } from './decimal.ts';
import { Money } from './money.ts';

/** A fee: a flat part, plus a percentage of the amount that is rounded half up. */
export interface Charge {
  readonly feeFlat: Money;
  /** Below 100: `0.5` is half a percent. */
  readonly feePercentage: Decimal;
}

/** Limits and fee of a payment method, all in one currency. */
export interface Terms extends Charge {
  readonly minAmount: Money;
  readonly maxAmount: Money;
}

export const termsIn = (
  currency: string,
  minAmount: Decimal,
  maxAmount: Decimal,
  feeFlat: Decimal,
  feePercentage: Decimal,
): Terms => ({
  minAmount: Money.of(minAmount, currency),
  maxAmount: Money.of(maxAmount, currency),
  feeFlat: Money.of(feeFlat, currency),
  feePercentage,
});

/** A bank, wallet or scheme that moves one fiat currency. Its code is unique only within its currency. */
export type FiatMethod = Readonly<ReturnType<typeof methodsWith>[number]>;

/** @param names by code */
export const methodsWith = (terms: Terms, names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([bankCode, bankName]) => ({
    currency: terms.minAmount.currency,
    bankCode,
    bankName,
    ...terms,
  }));

export const isWithinLimits = ({ minAmount, maxAmount }: Terms, amount: Money): boolean =>
  !amount.isLessThan(minAmount) && !maxAmount.isLessThan(amount);

/**
 * The refusal of an amount with more decimals than its currency. Undefined when the amount is fine, or was not given.
 *
 * @param field the request's name for the amount
 */
export const tooManyDecimals = (field: string, amount: Money | undefined): string | undefined =>
  amount?.isTooFine() === true ? `${field} has more than ${decimalsIn(amount.currency)} decimals` : undefined;

export const chargeOf = ({ feeFlat, feePercentage }: Charge, amount: Money): Money =>
  feeFlat.plus(amount.percentRoundedHalfUp(feePercentage));

/**
 * The smallest amount that leaves `wanted` after the charge. It leaves exactly that, because one more unit adds at most one to
 * the fee. Because the fee is rounded half up, the quotient can be off: by about fifty units at 99 %.
 */
export const grossedUp = (wanted: Money, charge: Charge): Money => {
  const unit = Money.smallestUnit(wanted.currency);
  const isEnough = (gross: Money): boolean => !gross.minus(chargeOf(charge, gross)).isLessThan(wanted);
  const keptPart = multiply(subtract('100', charge.feePercentage), '0.01');
  let gross = wanted.plus(charge.feeFlat).dividedRoundedUp(keptPart, wanted.currency);
  while (!isEnough(gross)) gross = gross.plus(unit);
  while (isEnough(gross.minus(unit))) gross = gross.minus(unit);
  return gross;
};
