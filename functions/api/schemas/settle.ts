import * as z from 'zod';
import { requestKinds } from '../../ports/pace.ts';
import { amount, currency } from './money.ts';
import { payoutDecision, wayOut } from './payout.ts';
import { time } from './time.ts';
import { visibleText } from './visible-text.ts';

/** Why somebody does something, for the timeline of the batch. */
export const reasonText = visibleText(
  z.string().trim().max(500),
  /^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u,
  'not blank',
).meta({
  id: 'Why',
  description: 'Why, for the audit trail. It is kept for ever: no names, no account numbers.',
  example: 'Ticket 4711: the provider confirms that nothing was sent.',
});

export const approveBody = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'the hash of the batch’s approval')
      .meta({
        description: 'What you approve, as `approval.hash` of the batch says it.',
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
        description: 'With `as_provider_says`: the disbursement that it is; looked up and compared.',
        example: 'a3bb189e8bf94c2c',
      }),
  })
  .meta({ id: 'SettlePayout', description: 'What became of a payout, and why you say so.' });

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
  .meta({ id: 'SettleConversion', description: 'What became of a conversion, and why you say so.' });

export const fundsView = z
  .strictObject({
    reservations: z
      .array(
        z.strictObject({
          currency,
          batchId: z.string(),
          batchStatus: z.string(),
          amount: amount.meta({ description: 'Set aside when its funding was planned.' }),
        }),
      )
      .meta({ description: 'Money set aside, of every currency that a batch of the last 31 days pays or converts.' }),
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
              '`held`: a conversion is being made. `in_doubt`: its outcome is not known, and stays locked until a person settles ' +
              'it. `idle`: nothing is under way; the next who needs the pair takes the lock.',
          }),
          wayOut: wayOut.exactOptional(),
        }),
      )
      .meta({ description: 'Pairs of currencies that one conversion holds for itself.' }),
    providerPace: z
      .array(
        z.strictObject({
          kind: z.enum(requestKinds).meta({ description: '`post`: submissions and conversions. `read`: the rest.' }),
          limitPerSecond: z.number().min(0).meta({
            description: 'Requests a second by the settings, for all batches together. 0 sets no limit.',
            example: 20,
          }),
          perSecond: z.number().min(0).meta({
            description: 'Requests a second at present: less than the limit after the provider slowed us down.',
            example: 10,
          }),
          queuedMs: z.int().min(0).meta({ description: 'Until all that have their turn are made.', example: 1200 }),
          blockedUntil: time.exactOptional().meta({
            description: 'The provider asked us to make none before this time. ISO 8601, UTC.',
            example: '2026-01-05T09:00:00.000Z',
          }),
        }),
      )
      .meta({ description: 'How the provider’s rate limit stands.' }),
  })
  .meta({
    id: 'Funds',
    description: 'What is held of the treasury, and by which batch; and how fast the provider is asked.',
  });
export type FundsView = z.infer<typeof fundsView>;
