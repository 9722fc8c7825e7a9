import * as z from 'zod';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import { Money } from '../../domain/money/money.ts';

/** A conversion as stored: amounts as text, next to their currencies. */
export const conversionItem = z
  .object({
    inputCurrency: z.string(),
    inputAmount: z.string(),
    outputCurrency: z.string(),
    rate: z.string(),
    convertedAmount: z.string(),
    fee: z.string(),
    totalConvertedAmount: z.string(),
    markupRatePercentage: z.string(),
    wantedOutputAmount: z.string().optional(),
  })
  .transform((item): Conversion => {
    const output = (amount: string): Money => Money.of(amount, item.outputCurrency);
    const { rate, markupRatePercentage, wantedOutputAmount } = item;
    return {
      input: Money.of(item.inputAmount, item.inputCurrency),
      rate,
      converted: output(item.convertedAmount),
      fee: output(item.fee),
      total: output(item.totalConvertedAmount),
      markupRatePercentage,
      wanted: Money.ofOptional(wantedOutputAmount, item.outputCurrency),
    };
  });

/** A conversion in the form in which it is stored. */
export const conversionAttributes = (conversion: Conversion): z.input<typeof conversionItem> => {
  const { input, rate, converted, fee, total, markupRatePercentage, wanted } = conversion;
  return {
    inputCurrency: input.currency,
    inputAmount: input.amount,
    outputCurrency: total.currency,
    rate,
    convertedAmount: converted.amount,
    fee: fee.amount,
    totalConvertedAmount: total.amount,
    markupRatePercentage,
    wantedOutputAmount: wanted?.amount,
  };
};
