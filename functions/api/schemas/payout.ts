import * as z from 'zod';
import { observedStatuses, payoutStatuses, payoutStatusesThat } from '../../domain/payout/payout-status.ts';
import { amount, currency, rail } from './money.ts';

export const payoutStatus = z.enum(payoutStatuses).meta({
  id: 'PayoutStatus',
  description:
    '`submitting`: claimed by a call. `unknown`: the outcome of a call is being looked up. `quarantined`: a person must ' +
    'decide. `on_hold`: the provider holds it for a check. Ends: `completed`, `failed`, `canceled`, `rejected`.',
  example: 'completed',
});

const openStatuses: readonly string[] = payoutStatusesThat('isOpen');

/** True of a status in which something still happens to a payout, or a person has to see to it. */
export const isOpenPayout = (status: string): boolean => openStatuses.includes(status);

export const reason = z
  .strictObject({
    code: z.string().meta({ description: 'Stable, to be matched by programs.', example: 'provider_failed' }),
    message: z.string().meta({ example: 'The provider says that the payout failed.' }),
  })
  .meta({ id: 'Reason', description: 'Why something is in its status.' });

export const payoutReason = reason
  .extend({
    providerText: z.string().exactOptional().meta({
      description:
        'What the provider says in its own words, on one line, cut, and cleaned of the recipient as far as it can be known.',
      example: 'The account is closed',
    }),
  })
  .meta({ id: 'PayoutReason', description: 'Why a payout is in its status.' });

export const wayOut = z
  .strictObject({
    code: z.string().meta({ description: 'Stable, to be matched by programs.', example: 'payouts_quarantined' }),
    message: z.string().meta({
      description: 'What it is and what to do, for a person.',
      example: 'The provider must be asked what became of it.',
    }),
    requests: z.array(z.string()).meta({
      description: 'Requests to this API that resolve it, or help to.',
      example: ['POST /payouts/salary-2026-01-0007/settle'],
    }),
  })
  .meta({ id: 'WayOut' });
export type WayOut = z.infer<typeof wayOut>;

export const payoutDecision = z.enum(['as_provider_says', 'not_paid', 'paid', 'written_off', 'noted']).meta({
  description:
    '`as_provider_says`: look it up now and take over what the provider says, if it fits the payout. `not_paid`: the provider ' +
    'must not know it; it ends as `rejected` and stands in the retry file under a new reference. `paid`: you vouch that it was ' +
    'paid; it ends as `completed`. `written_off`: it ends as `failed` and nothing pays it again. `noted`: ' +
    'you have seen to what the provider shows against it (`contradictions`); its status stays, and it waits for nobody any more.',
  example: 'not_paid',
});
export type PayoutDecision = z.infer<typeof payoutDecision>;

export const payoutWayOut = wayOut.extend({
  decisions: z.array(payoutDecision).meta({
    description: 'The decisions that `settle` takes on it now.',
    example: ['as_provider_says'],
  }),
});
export type PayoutWayOut = z.infer<typeof payoutWayOut>;

export const contradiction = z
  .strictObject({
    code: z.string().meta({
      description:
        '`changed_after_end`: the provider tells another end. `made_after_all`: it has a disbursement of a payout that ended ' +
        'without one. `reference_used_twice`: it has a second one with the reference. `amount_differs` and the like: what it ' +
        'has of an ended payout is another than was asked for.',
      example: 'changed_after_end',
    }),
    disbursementId: z.string().meta({ description: 'The disbursement that contradicts.', example: 'a3bb189e8bf94c2c' }),
    observed: z.enum(observedStatuses).meta({ description: 'What the provider says of it.', example: 'failed' }),
    at: z.string().meta({ description: 'When it was first seen.', example: '2026-01-07T09:00:00.000Z' }),
    noted: z.boolean().meta({ description: 'Whether an operator has seen to it.', example: false }),
  })
  .meta({ id: 'Contradiction', description: 'Something that the provider shows against a payout. The status stays.' });

export const payoutView = z
  .strictObject({
    batchId: z.string().meta({ example: 'b-01jgfjjz00e5x7b6nrw2m8k4vd' }),
    row: z.int().min(1).meta({ description: 'Row in the file, from 1, the header not counted.', example: 7 }),
    chunk: z.int().min(1).meta({ description: 'The child workflow that looks after it.', example: 1 }),
    reference: z
      .string()
      .meta({ description: 'What the provider knows the payout by.', example: 'salary-2026-01-0007' }),
    bankCode: z
      .string()
      .exactOptional()
      .meta({ description: "The recipient's bank, as the file gives it.", example: 'bca' }),
    account: z.string().exactOptional().meta({
      description:
        'The end of the account number, wallet address or recipient id. Absent of payouts registered before it was kept.',
      example: '***5678',
    }),
    rail,
    currency,
    amount,
    status: payoutStatus,
    reason: payoutReason.exactOptional(),
    contradictions: z
      .array(contradiction)
      .exactOptional()
      .meta({ description: 'What the provider shows against it, in the order it was seen.' }),
    since: z.string().meta({ description: 'When it came to its status.', example: '2026-01-05T09:00:00.000Z' }),
    wayOut: payoutWayOut.exactOptional().meta({
      description: 'What to do about it; absent while nobody need do anything.',
      example: {
        code: 'payout_quarantined',
        message: 'Settle it.',
        requests: ['POST /payouts/salary-2026-01-0007/settle'],
        decisions: ['as_provider_says', 'not_paid', 'paid', 'written_off'],
      },
    }),
    disbursementId: z.string().exactOptional().meta({ description: "The provider's id.", example: 'a3bb189e8bf94c2c' }),
    fee: amount.exactOptional().meta({
      description:
        'What the provider charged. It gives it back with the amount where the payout ended unpaid for sure: not where it was written off or is contradicted.',
      example: '4000',
    }),
    proof: z
      .strictObject({ key: z.string(), sha256: z.string(), bytes: z.int() })
      .exactOptional()
      .meta({
        description: "The bank's transfer proof as archived in S3.",
        example: { key: 'batches/b-1/proofs/0000007-9f86d081884c7d65.pdf', sha256: '9f86d081884c7d65', bytes: 2048 },
      }),
    heldBy: z.string().exactOptional().meta({
      description: 'The batch that holds the reference, when it was rejected as a duplicate.',
      example: 'b-01jgfhhh00e5x7b6nrw2m8k4vd',
    }),
    lastRetry: z
      .strictObject({ reference: z.string(), batchId: z.string(), status: payoutStatus })
      .exactOptional()
      .meta({
        description: 'Of a payout that paid nobody: the last payout that tried it again, by a retry file.',
        example: { reference: 'salary-2026-01-0007.r1', batchId: 'b-01jgfmmm00e5x7b6nrw2m8k4vd', status: 'completed' },
      }),
    updatedAt: z.string().meta({ example: '2026-01-05T09:00:00.000Z' }),
  })
  .meta({
    id: 'Payout',
    description: 'One row of a batch. Of who is paid it tells the bank and the end of the account.',
  });
export type PayoutView = z.infer<typeof payoutView>;

export const payoutPage = z
  .strictObject({
    payouts: z.array(payoutView),
    cursor: z.string().exactOptional().meta({
      description: 'Give it back for the next page; absent on the last one.',
      example: 'eyJjaHVuayI6MSwicm93Ijo5OH0',
    }),
  })
  .meta({ id: 'PayoutPage', description: 'Payouts in the order of the chunks, and of rows within a chunk.' });
export type PayoutPage = z.infer<typeof payoutPage>;
