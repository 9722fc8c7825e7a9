import type { Decimal } from './money.ts';
import { isLess } from './money.ts';

/** Between which amounts a payment method can be used, both included. */
export interface Limits {
  readonly minAmount: Decimal;
  readonly maxAmount: Decimal;
}

export const isWithinLimits = ({ minAmount, maxAmount }: Limits, amount: Decimal): boolean =>
  !isLess(amount, minAmount) && !isLess(maxAmount, amount);
