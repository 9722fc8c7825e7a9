import * as z from 'zod';
import { reasonText } from './parameters.ts';
import { payoutDecision } from './payout.ts';
import { exampleHash, printable } from './text.ts';

export const approveBody = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'the hash of the batch’s approval')
      .meta({ description: 'The `approval.hash` of the batch that you approve.', example: exampleHash }),
    reason: reasonText,
  })
  .meta({ id: 'ApproveBatch', description: 'What you approve, and why.' });

export const settlePayoutBody = z
  .strictObject({
    decision: payoutDecision,
    reason: reasonText,
    contradictions: z
      .int()
      .min(1)
      .max(1000)
      .exactOptional()
      .meta({
        description:
          'With `noted`: how many contradictions you have read. If the payout has another number by now, nothing is recorded ' +
          '(`payout_conflict`). Without it, all that are recorded when the request arrives are noted.',
        example: 1,
      }),
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

export type SettlePayoutBody = Readonly<z.infer<typeof settlePayoutBody>>;

export const settleConversionBody = z
  .strictObject({
    decision: z.enum(['happened', 'not_happened']).meta({ example: 'not_happened' }),
    reason: reasonText,
    convertId: printable(128)
      .exactOptional()
      .meta({ description: 'With `happened`: the id the provider shows for it.', example: 'cnv-77' }),
  })
  .meta({ id: 'SettleConversion', description: 'The outcome of a conversion, and the reason for your decision.' });
