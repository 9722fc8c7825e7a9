import { decimalsOf } from '../../../../functions/domain/money/currency.ts';
import type { Money } from '../../../../functions/domain/money/money.ts';
import type { PaymentMethod } from '../../../../functions/ports/provider.ts';

/** The expected result of feeInMinorUnits as money: flat fee plus percentage of the amount, rounded up. */
export const feeOf = (
  { feeFlat, feePercentage }: Pick<PaymentMethod, 'feeFlat' | 'feePercentage'>,
  amount: Money,
): Money => feeFlat.plus(amount.percent(feePercentage)).roundedUp(decimalsOf(amount.currency) ?? Number.NaN);
