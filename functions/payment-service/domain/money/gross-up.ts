import type { Decimal } from './money.ts';
import { add, divideRoundingUp, isLess, multiply, percentRoundedHalfUp, smallestUnit, subtract } from './money.ts';

/** What is taken off an amount: a flat part, and a percentage of it that is rounded half up. */
export interface Charge {
  readonly feeFlat: Decimal;
  /** Percent of the amount, below 100: `0.5` is half a percent. */
  readonly feePercentage: Decimal;
}

export const chargeOf = (charge: Charge, amount: Decimal, decimals: number): Decimal =>
  add(charge.feeFlat, percentRoundedHalfUp(amount, charge.feePercentage, decimals));

/**
 * The smallest amount that still leaves `wanted` when the charge is taken off. The quotient is off by at most a unit, since
 * the fee is rounded half up; now and then no amount leaves exactly `wanted`, and the next one leaves a unit more.
 */
export const grossedUp = (wanted: Decimal, charge: Charge, decimals: number): Decimal => {
  const unit = smallestUnit(decimals);
  const isEnough = (gross: Decimal): boolean => !isLess(subtract(gross, chargeOf(charge, gross, decimals)), wanted);
  const net = add(wanted, charge.feeFlat);
  let gross = divideRoundingUp(multiply(net, '100'), subtract('100', charge.feePercentage), decimals);
  while (!isEnough(gross)) gross = add(gross, unit);
  while (isEnough(subtract(gross, unit))) gross = subtract(gross, unit);
  return gross;
};
