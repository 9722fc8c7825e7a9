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

/** True for a status in which the payout may still change, or waits for a person. */
export const isOpenPayout = (status: string): boolean => openStatuses.includes(status);

export const reason = z
  .strictObject({
    code: z.string().meta({ description: 'Stable, to be matched by programs.', example: 'provider_failed' }),
    message: z.string().meta({ example: 'The provider says that the payout failed.' }),
  })
  .meta({ id: 'Reason', description: 'Why something is in its status.' });

const payoutReason = reason
  .extend({
    providerText: z.string().exactOptional().meta({
      description:
        'The provider’s own words on one line, shortened, with the recipient’s data masked as far as it is known.',
      example: 'The account is closed',
    }),
  })
  .meta({ id: 'PayoutReason', description: 'Why a payout is in its status.' });

export const wayOut = z
  .strictObject({
    code: z.string().meta({ description: 'Stable, to be matched by programs.', example: 'payouts_quarantined' }),
    message: z.string().meta({
      description: 'What is wrong and what to do, for a person.',
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
    '`as_provider_says`: look it up now and take over the provider’s answer, if it fits the payout. `not_paid`: it ends as ' +
    '`rejected` and is in the retry file under a new reference; the provider must not know it. `paid`: you vouch that it was ' +
    'paid; it ends as `completed`. `written_off`: it ends as `failed` and nothing pays it again. `noted`: ' +
    'you have dealt with its `contradictions`; its status stays, and it no longer waits for a person.',
  example: 'not_paid',
});
export type PayoutDecision = z.infer<typeof payoutDecision>;

const payoutWayOut = wayOut.extend({
  decisions: z.array(payoutDecision).meta({
    description: 'The decisions that `settle` accepts now.',
    example: ['as_provider_says'],
  }),
});
export type PayoutWayOut = z.infer<typeof payoutWayOut>;

const contradiction = z
  .strictObject({
    code: z.string().meta({
      description:
        '`changed_after_end`: the provider now shows another end. `made_after_all`: it has a disbursement of a payout that ended ' +
        'without one. `reference_used_twice`: it has a second one with the reference. `amount_differs` and similar codes: its ' +
        'record of an ended payout differs from the request.',
      example: 'changed_after_end',
    }),
    disbursementId: z
      .string()
      .meta({ description: 'The disbursement that contradicts the payout.', example: 'a3bb189e8bf94c2c' }),
    observed: z.enum(observedStatuses).meta({ description: 'Its status at the provider.', example: 'failed' }),
    at: z.string().meta({ description: 'When it was first seen.', example: '2026-01-07T09:00:00.000Z' }),
    noted: z.boolean().meta({ description: 'True when an operator has dealt with it.', example: false }),
  })
  .meta({
    id: 'Contradiction',
    description: 'A record of the provider that contradicts a payout. The payout’s status stays.',
  });

export const payoutView = z
  .strictObject({
    batchId: z.string().meta({ example: 'b-01jgfjjz00e5x7b6nrw2m8k4vd' }),
    row: z.int().min(1).meta({ description: 'Row in the file, from 1, the header not counted.', example: 7 }),
    chunk: z.int().min(1).meta({ description: 'The chunk that the payout is submitted with.', example: 1 }),
    reference: z.string().meta({
      description: 'The reference under which the provider knows the payout.',
      example: 'salary-2026-01-0007',
    }),
    bankCode: z
      .string()
      .exactOptional()
      .meta({ description: "The recipient's bank, as the file gives it.", example: 'bca' }),
    account: z.string().exactOptional().meta({
      description:
        'The end of the account number, wallet address or recipient id. Absent for payouts registered before it was stored.',
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
      .meta({ description: 'Contradictions by the provider, in the order they were seen.' }),
    since: z.string().meta({ description: 'When it entered its status.', example: '2026-01-05T09:00:00.000Z' }),
    wayOut: payoutWayOut.exactOptional().meta({
      description: 'What to do about it. Absent while nothing needs doing.',
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
        'The fee that the provider charged. It is refunded with the amount when the payout certainly ended unpaid, but not when it was written off or is contradicted.',
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
        description: 'For an unpaid payout, the last payout that retried it from a retry file.',
        example: { reference: 'salary-2026-01-0007.r1', batchId: 'b-01jgfmmm00e5x7b6nrw2m8k4vd', status: 'completed' },
      }),
    updatedAt: z.string().meta({ example: '2026-01-05T09:00:00.000Z' }),
  })
  .meta({
    id: 'Payout',
    description: 'One row of a batch. Of the recipient, it shows only the bank and the end of the account.',
  });
export type PayoutView = z.infer<typeof payoutView>;

export const payoutPage = z
  .strictObject({
    payouts: z.array(payoutView),
    cursor: z.string().exactOptional().meta({
      description: 'Send it back for the next page. Absent on the last one.',
      example: 'eyJjaHVuayI6MSwicm93Ijo5OH0',
    }),
  })
  .meta({ id: 'PayoutPage', description: 'Payouts in the order of the chunks, and of rows within a chunk.' });
export type PayoutPage = z.infer<typeof payoutPage>;
