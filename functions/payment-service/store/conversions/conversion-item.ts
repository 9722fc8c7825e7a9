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
  .transform(
    ({ inputCurrency, inputAmount, outputCurrency, ...item }): Conversion => ({
      input: Money.of(inputAmount, inputCurrency),
      rate: item.rate,
      converted: Money.of(item.convertedAmount, outputCurrency),
      fee: Money.of(item.fee, outputCurrency),
      total: Money.of(item.totalConvertedAmount, outputCurrency),
      markupRatePercentage: item.markupRatePercentage,
      wanted: Money.ofOptional(item.wantedOutputAmount, outputCurrency),
    }),
  );

/** A conversion in the form in which it is stored. */
export const conversionAttributes = ({ input, converted, fee, total, wanted, ...rest }: Conversion) =>
  ({
    ...rest,
    inputCurrency: input.currency,
    inputAmount: input.amount,
    outputCurrency: total.currency,
    convertedAmount: converted.amount,
    fee: fee.amount,
    totalConvertedAmount: total.amount,
    wantedOutputAmount: wanted?.amount,
  }) satisfies z.input<typeof conversionItem>;
