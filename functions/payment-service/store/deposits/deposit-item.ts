import * as z from 'zod';
import type { Deposit, DepositDraft } from '../../domain/deposits/deposit.ts';
import { depositStatuses, depositTypes } from '../../domain/deposits/deposit.ts';
import { Money } from '../../domain/money/money.ts';
import { depositOutcomes } from '../../domain/sandbox/magic-values.ts';
import type { ListId } from '../keys.ts';
import { keys } from '../keys.ts';
import type { ListPlace } from '../lists/list-changes.ts';

export const depositItem = z
  .object({
    depositId: z.string(),
    accountId: z.string(),
    depositType: z.enum(depositTypes),
    inputCurrency: z.string(),
    inputAmount: z.string(),
    fee: z.string(),
    feePercentage: z.string(),
    outputCurrency: z.string(),
    outputAmount: z.string(),
    exchangeRate: z.string().optional(),
    conversionFee: z.string().optional(),
    paymentMethod: z.string().optional(),
    reference: z.string().optional(),
    note: z.string().optional(),
    outcome: z.enum(depositOutcomes),
    status: z.enum(depositStatuses),
    changes: z.array(
      z.object({
        activity: z.string(),
        status: z.enum(depositStatuses),
        description: z.string(),
        updatedAt: z.string(),
      }),
    ),
    version: z.number(),
    listNumber: z.number(),
    changeNumber: z.number(),
    createdAt: z.string(),
    updatedAt: z.string(),
    expiredAt: z.string(),
    paidAt: z.string().optional(),
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
export const depositList = (accountId: string): ListId => ({ accountId, list: 'deposit' });

interface NewDeposit extends ListPlace {
  readonly depositId: string;
  readonly accountId: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly expiredAt: string;
}

/** A new deposit in the form in which it is stored. */
export const newDeposit = (draft: DepositDraft, head: NewDeposit): Deposit => {
  const { quoteId: _, ...kept } = draft;
  return { ...kept, ...head, status: 'pending', changes: [], version: 1, updatedAt: head.createdAt };
};

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
