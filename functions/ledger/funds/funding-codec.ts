import * as z from 'zod';
import type { FeeEstimate, FundingPlan, Release } from '../../domain/batch/batch.ts';
import { Money } from '../../domain/money/money.ts';
import {
  currencyFundingInText,
  currencyFundingOfText,
  plannedConversionInText,
  plannedConversionOfText,
} from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import { decimalText, rail } from '../table/schemas.ts';

export const feeEstimate = once(() =>
  z
    .object({
      rail: rail(),
      currency: z.string(),
      fee: decimalText(),
      source: z.enum(['payment_methods', 'crypto_estimate']),
    })
    .transform(({ currency, fee, ...of }): FeeEstimate => ({ ...of, fee: Money.of(fee, currency) })),
);
export const feeEstimateItem = ({ fee, ...of }: FeeEstimate) => ({ ...of, currency: fee.currency, fee: fee.amount });

/** A planned conversion, as stored in a funding plan and in a conversion's record. */
export const storedPlannedConversion = once(() =>
  z.object({
    inputCurrency: z.string(),
    inputAmount: decimalText(),
    outputCurrency: z.string(),
    outputAmount: decimalText(),
    fee: decimalText(),
    rate: decimalText(),
  }),
);

const currencyFunding = once(() =>
  z
    .object({
      currency: z.string(),
      required: decimalText(),
      balance: decimalText(),
      reservedByOthers: decimalText(),
      shortfall: decimalText(),
      // Plans stored before this field existed have none.
      unclear: decimalText().default('0'),
    })
    .transform(currencyFundingOfText),
);

/** A batch's funding, as its item stores it. */
export const funding = once(() =>
  z.object({
    currencies: z.array(currencyFunding()),
    conversions: z.array(storedPlannedConversion().transform(plannedConversionOfText)),
    // A plan stored without this field allows no conversion; it is made again.
    conversionsBefore: z.int().default(-1),
    plannedAt: z.string(),
    unclearSince: z.string().exactOptional(),
  }),
);
export const fundingItem = ({ currencies, conversions, ...of }: FundingPlan) => ({
  ...of,
  currencies: currencies.map(currencyFundingInText),
  conversions: conversions.map(plannedConversionInText),
});

/** A batch's release, as its item stores it. */
export const release = once(() =>
  z.object({
    hash: z.string(),
    at: z.string(),
    day: z.string(),
    conversions: z.array(
      z
        .object({ inputCurrency: z.string(), inputAmount: decimalText(), outputCurrency: z.string() })
        .transform(({ inputCurrency, inputAmount, outputCurrency }) => ({
          input: Money.of(inputAmount, inputCurrency),
          outputCurrency,
        })),
    ),
  }),
);
export const releaseItem = ({ conversions, ...of }: Release) => ({
  ...of,
  conversions: conversions.map(({ input, outputCurrency }) => ({
    inputCurrency: input.currency,
    inputAmount: input.amount,
    outputCurrency,
  })),
});
