import * as z from 'zod';
import { observedStatuses, payoutStatuses, payoutStatusesThat } from '../../domain/payout/payout-status.ts';
import { amount, currency, rail } from './money.ts';
import { exampleBatch, optionalText, text } from './text.ts';

export const payoutStatus = z.enum(payoutStatuses).meta({
  id: 'PayoutStatus',
  description:
    '`submitting`: claimed by a call. `unknown`: the outcome of a call is being looked up. `quarantined`: a person must ' +
    'decide. `on_hold`: the provider holds it for a check. Ends: `completed`, `failed`, `canceled`, `rejected`.',
  example: 'completed',
});

const openStatuses: readonly string[] = payoutStatusesThat('isOpen');

/** True for a status that a later look at the provider may change, or that waits for a person. `ready` is neither. */
export const isOpenPayout = (status: string): boolean => openStatuses.includes(status);

export const reason = z
  .strictObject({
    code: text('Stable, to be matched by programs.', 'provider_failed'),
    message: z.string().meta({ example: 'The provider says that the payout failed.' }),
  })
  .meta({ id: 'Reason', description: 'Why something is in its status.' });

const payoutReason = reason
  .extend({
    providerText: optionalText(
      'The provider’s own words on one line, shortened, with the recipient’s data masked as far as it is known.',
      'The account is closed',
    ),
  })
  .meta({ id: 'PayoutReason', description: 'Why a payout is in its status.' });

export const wayOut = z
  .strictObject({
    code: text('Stable, to be matched by programs.', 'payouts_quarantined'),
    message: text('What is wrong and what to do, for a person.', 'The provider must be asked what became of it.'),
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
    '`rejected`, or as the provider’s `failed` or `canceled`; the retry file has it, unless it is `canceled`. `paid`: you vouch ' +
    'that it was paid; it ends as `completed`. `written_off`: it ends as `failed`, or as the provider’s `canceled`, and no retry ' +
    'file has it. `noted`: ' +
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
    code: text(
      '`changed_after_end`: the provider now shows another end. `made_after_all`: it has a disbursement of a payout that ended ' +
        'without one. `reference_used_twice`: it has a second one with the reference. `amount_differs` and similar codes: its ' +
        'record of an ended payout differs from the request.',
      'changed_after_end',
    ),
    disbursementId: text('The disbursement that contradicts the payout.', 'a3bb189e8bf94c2c'),
    observed: z.enum(observedStatuses).meta({ description: 'Its status at the provider.', example: 'failed' }),
    at: text('When it was first seen.', '2026-01-07T09:00:00.000Z'),
    noted: z.boolean().meta({ description: 'True when an operator has dealt with it.', example: false }),
  })
  .meta({
    id: 'Contradiction',
    description: 'A record of the provider that contradicts a payout. The payout’s status stays.',
  });

const contradictions = z
  .array(contradiction)
  .meta({ description: 'Contradictions by the provider, in the order they were seen.' });

const proof = z.strictObject({ key: z.string(), sha256: z.string(), bytes: z.int() });

const lastRetry = z.strictObject({
  reference: z.string(),
  batchId: z.string(),
  status: payoutStatus,
  reason: reason.exactOptional(),
  contradictions: contradictions.exactOptional(),
});

export const payoutView = z
  .strictObject({
    batchId: z.string().meta({ example: exampleBatch }),
    row: z.int().min(1).meta({ description: 'Row in the file, from 1, the header not counted.', example: 7 }),
    chunk: z.int().min(1).meta({ description: 'The chunk that the payout is submitted with.', example: 1 }),
    reference: text('The reference under which the provider knows the payout.', 'salary-2026-01-0007'),
    bankCode: optionalText("The recipient's bank, as the file gives it.", 'bca'),
    account: optionalText(
      'The end of the account number, wallet address or recipient id. Absent for payouts registered before it was stored.',
      '***5678',
    ),
    rail,
    currency,
    amount,
    status: payoutStatus,
    reason: payoutReason.exactOptional(),
    contradictions: contradictions.exactOptional(),
    since: text('When it entered its status.', '2026-01-05T09:00:00.000Z'),
    wayOut: payoutWayOut.exactOptional().meta({
      description: 'What to do about it. Absent while nothing needs doing.',
      example: {
        code: 'payout_quarantined',
        message: 'Settle it.',
        requests: ['POST /payouts/salary-2026-01-0007/settle'],
        decisions: ['as_provider_says', 'not_paid', 'paid', 'written_off'],
      },
    }),
    disbursementId: optionalText("The provider's id.", 'a3bb189e8bf94c2c'),
    fee: amount.exactOptional().meta({
      description:
        'The fee that the provider charged. It is refunded with the amount when the payout certainly ended unpaid, but not when it was written off or is contradicted.',
      example: '4000',
    }),
    proof: proof.exactOptional().meta({
      description: "The bank's transfer proof as archived in S3.",
      example: { key: 'batches/b-1/proofs/0000007-9f86d081884c7d65.pdf', sha256: '9f86d081884c7d65', bytes: 2048 },
    }),
    heldBy: optionalText(
      'The batch that holds the reference, when it was rejected as a duplicate.',
      'b-01jgfhhh00e5x7b6nrw2m8k4vd',
    ),
    lastRetry: lastRetry.exactOptional().meta({
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
    cursor: optionalText('Send it back for the next page. Absent on the last one.', 'eyJjaHVuayI6MSwicm93Ijo5OH0'),
  })
  .meta({
    id: 'PayoutPage',
    description: 'Payouts of a batch in the order of chunks and rows. Those of a search, the newest batch first.',
  });
export type PayoutPage = z.infer<typeof payoutPage>;
