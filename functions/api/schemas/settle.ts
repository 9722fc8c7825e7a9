import * as z from 'zod';
import { requestKinds } from '../../ports/pace.ts';
import { amount, currency } from './money.ts';
import { payoutDecision, wayOut } from './payout.ts';
import { time } from './time.ts';
import { visibleText } from './visible-text.ts';

/** The reason for an action, for the batch's timeline. */
export const reasonText = visibleText(
  z.string().trim().max(500),
  /^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u,
  'not blank',
).meta({
  id: 'Why',
  description: 'The reason, for the audit trail. It is kept forever, so include no names and no account numbers.',
  example: 'Ticket 4711: the provider confirms that nothing was sent.',
});

export const approveBody = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'the hash of the batch’s approval')
      .meta({
        description: 'The `approval.hash` of the batch that you approve.',
        example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      }),
    reason: reasonText,
  })
  .meta({ id: 'ApproveBatch', description: 'What you approve, and why.' });

export const settlePayoutBody = z
  .strictObject({
    decision: payoutDecision,
    reason: reasonText,
    disbursementId: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/)
      .exactOptional()
      .meta({
        description: 'With `as_provider_says`: the disbursement of this payout. It is looked up and compared.',
        example: 'a3bb189e8bf94c2c',
      }),
  })
  .meta({ id: 'SettlePayout', description: 'The outcome of a payout, and the reason for your decision.' });

export const settleConversionBody = z
  .strictObject({
    decision: z.enum(['happened', 'not_happened']).meta({ example: 'not_happened' }),
    reason: reasonText,
    convertId: z
      .string()
      .regex(/^[!-~]{1,128}$/, '1 to 128 printable ASCII characters, no spaces')
      .exactOptional()
      .meta({ description: 'With `happened`: the id the provider shows for it.', example: 'cnv-77' }),
  })
  .meta({ id: 'SettleConversion', description: 'The outcome of a conversion, and the reason for your decision.' });

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
    locks: z
      .array(
        z.strictObject({
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
        }),
      )
      .meta({ description: 'Currency pairs locked by a conversion.' }),
    providerPace: z
      .array(
        z.strictObject({
          kind: z.enum(requestKinds).meta({ description: '`post`: submissions and conversions. `read`: the rest.' }),
          limitPerSecond: z.number().min(0).meta({
            description: 'Requests per second by the settings, for all batches together. 0 sets no limit.',
            example: 20,
          }),
          perSecond: z.number().min(0).meta({
            description: 'Current requests per second. Below the limit after the provider throttled us.',
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
