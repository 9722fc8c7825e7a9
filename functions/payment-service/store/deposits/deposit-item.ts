import * as z from 'zod';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { depositFields } from '../../domain/deposits/deposit.ts';
import { Money } from '../../domain/money/money.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { StoredList } from '../lists/list-changes.ts';

export const depositItem = depositFields
  .extend({
    inputCurrency: z.string(),
    inputAmount: z.string(),
    fee: z.string(),
    outputCurrency: z.string(),
    outputAmount: z.string(),
    conversionFee: z.string().optional(),
  })
  .transform(
    ({ inputCurrency, inputAmount, fee, outputCurrency, outputAmount, conversionFee, ...rest }): Deposit => ({
      ...rest,
      input: Money.of(inputAmount, inputCurrency),
      fee: Money.of(fee, inputCurrency),
      output: Money.of(outputAmount, outputCurrency),
      conversionFee: Money.ofOptional(conversionFee, outputCurrency),
    }),
  );

/** The list of an account's deposits. Its parts are the deposit types. */
export const depositList = (context: Context): StoredList => ({ ...context, list: 'deposit' });

/** A new deposit in the form in which it is stored. */
export const newDepositItem = ({ input, fee, output, conversionFee, ...rest }: Deposit) => ({
  ...keys.deposit(rest.depositId),
  ...rest,
  inputCurrency: input.currency,
  inputAmount: input.amount,
  fee: fee.amount,
  outputCurrency: output.currency,
  outputAmount: output.amount,
  conversionFee: conversionFee?.amount,
});
