import * as z from 'zod';
import { conversionStatuses } from '../../domain/batch/batch.ts';
import { requestKinds } from '../../ports/pace.ts';
import { amount, currency } from './money.ts';
import { reason, wayOut } from './payout.ts';
import { time } from './text.ts';

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

export const lockView = z.strictObject({
  inputCurrency: currency,
  outputCurrency: currency,
  batchId: z.string().exactOptional(),
  conversion: z.int().min(1).exactOptional(),
  since: time,
  state: z.enum(['held', 'in_doubt', 'idle']).meta({
    description:
      '`held`: a conversion is being made. `in_doubt`: its outcome is unknown, and the pair stays locked until a person ' +
      'settles it. `idle`: nothing is under way; the next conversion of the pair takes the lock.',
  }),
  wayOut: wayOut.exactOptional(),
});

export const fundsView = z
  .strictObject({
    reservations: z
      .array(
        z.strictObject({
          currency,
          batchId: z.string(),
          batchStatus: z.string(),
          amount: amount.meta({ description: 'Reserved when the funding was planned.' }),
        }),
      )
      .meta({ description: 'Money reserved for batches, in every currency.' }),
    locks: z.array(lockView).meta({ description: 'Currency pairs locked by a conversion.' }),
    providerPace: z
      .array(
        z.strictObject({
          kind: z.enum(requestKinds).meta({ description: '`post`: submissions and conversions. `read`: the rest.' }),
          limitPerSecond: z.number().min(0).meta({
            description: 'Requests per second by the settings, for all batches together. 0 sets no limit.',
            example: 20,
          }),
          perSecond: z.number().min(0).meta({
            description:
              'Current requests per second. Below the limit after the provider throttled us, or left requests unanswered.',
            example: 10,
          }),
          queuedMs: z
            .int()
            .min(0)
            .meta({ description: 'Milliseconds until all scheduled requests are made.', example: 1200 }),
          blockedUntil: time.exactOptional().meta({
            description: 'The provider asked for no requests before this time. ISO 8601, UTC.',
            example: '2026-01-05T09:00:00.000Z',
          }),
        }),
      )
      .meta({ description: 'State of the provider’s rate limit.' }),
  })
  .meta({
    id: 'Funds',
    description: 'Reserved money and locked currency pairs, by batch, and the request rate to the provider.',
  });
export type FundsView = z.infer<typeof fundsView>;
