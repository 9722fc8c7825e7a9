import * as z from 'zod';
import { conversionStatuses } from '../../domain/batch/batch.ts';
import { amount, currency } from './money.ts';
import { reason } from './payout.ts';
import { time } from './time.ts';

export const fundingView = z.strictObject({
  plannedAt: time,
  currencies: z.array(
    z.strictObject({
      currency,
      required: amount,
      balance: amount,
      reservedByOthers: amount,
      shortfall: amount,
      unclear: amount,
    }),
  ),
  conversions: z.array(
    z.strictObject({
      inputCurrency: currency,
      inputAmount: amount,
      outputCurrency: currency,
      outputAmount: amount,
      fee: amount,
      rate: amount,
    }),
  ),
});

export const conversionView = z
  .strictObject({
    n: z.int().min(1),
    status: z.enum(conversionStatuses),
    inputCurrency: currency,
    outputCurrency: currency,
    plannedInputAmount: amount,
    plannedOutputAmount: amount,
    rate: amount,
    inputAmount: amount.exactOptional(),
    outputAmount: amount.exactOptional(),
    fee: amount.exactOptional(),
    convertId: z.string().exactOptional(),
    inputBalanceBefore: amount.meta({
      description: 'The balance before the conversion, to compare with when its outcome is in doubt.',
    }),
    outputBalanceBefore: amount,
    reason: reason.exactOptional(),
    claimedAt: time,
    endedAt: time.exactOptional(),
  })
  .meta({
    id: 'Conversion',
    description:
      'A conversion as planned, and as it turned out. `inferred`: derived from the balances. `not_made`: an operator decided so.',
  });
export type ConversionView = z.infer<typeof conversionView>;
