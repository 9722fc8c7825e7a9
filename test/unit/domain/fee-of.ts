import { decimalsOf } from '../../../functions/domain/currency.ts';
import { addAmounts, percentOf, roundFeeUp } from '../../../functions/domain/money.ts';
import type { PaymentMethod } from '../../../functions/ports/provider.ts';

/** What feeInMinorUnits has to come to, in exact decimals: flat plus percentage of the amount, rounded up. */
export const feeOf = (
  { currency, feeFlat, feePercentage }: Pick<PaymentMethod, 'currency' | 'feeFlat' | 'feePercentage'>,
  amount: string,
): string => roundFeeUp(addAmounts(feeFlat, percentOf(amount, feePercentage)), decimalsOf(currency) ?? Number.NaN);
