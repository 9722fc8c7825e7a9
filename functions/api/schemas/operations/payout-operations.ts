import * as z from 'zod';
import { proofLink } from '../file-links.ts';
import { cursor, cursorDescription, get, getOfBatch, limit, post } from '../parameters.ts';
import { payoutPage, payoutStatus, payoutView } from '../payout.ts';
import { payoutParameters } from '../payout-path.ts';
import { recipientView, searchPayoutsBody } from '../recipient.ts';
import { settlePayoutBody } from '../settle.ts';
import type { Operation } from './operation.ts';

export const listPayouts = {
  ...getOfBatch,
  id: 'listPayouts',
  path: '/batches/{batchId}/payouts',
  summary: 'List the payouts of a batch',
  description: 'In the order of chunks and rows. Payouts appear once their chunk is registered.',
  query: z.strictObject({
    status: payoutStatus.exactOptional(),
    contradicted: z.literal('true').exactOptional().meta({
      description: 'Only those with a contradiction that no operator has noted.',
      example: 'true',
    }),
    limit,
    cursor: cursor.meta({ description: cursorDescription, example: 'eyJjaHVuayI6MSwicm93Ijo5OH0' }),
  }),
  answer: { status: 200, description: 'A page of payouts.', schema: payoutPage },
} as const satisfies Operation;

export const getPayout = {
  ...get,
  id: 'getPayout',
  path: '/payouts/{reference}',
  summary: 'Find a payout by its reference',
  description: 'References are unique over all batches.',
  pathParameters: payoutParameters,
  answer: { status: 200, description: 'The payout.', schema: payoutView },
  problems: ['payout_not_found'],
} as const satisfies Operation;

export const getProofLink = {
  ...get,
  id: 'getProofLink',
  path: '/payouts/{reference}/proof',
  summary: 'Get a short-lived link to the transfer proof of a payout',
  description:
    'The PDF of a completed bank transfer, as the provider had it when it was archived. It names the recipient.',
  pathParameters: payoutParameters,
  answer: { status: 200, description: 'Where to download it, and until when.', schema: proofLink },
  problems: ['payout_not_found', 'proof_not_ready'],
} as const satisfies Operation;

export const getRecipient = {
  ...post,
  id: 'getRecipient',
  path: '/payouts/{reference}/recipient',
  summary: 'Show the recipient of a payout',
  description:
    'The name and the file’s own columns, for a caller with the right to see them. It changes nothing. It is a POST because ' +
    'roles may allow every GET, and this needs a right of its own. The caller is logged.',
  pathParameters: payoutParameters,
  answer: { status: 200, description: 'The recipient.', schema: recipientView },
  problems: ['payout_not_found', 'file_altered', 'file_gone'],
} as const satisfies Operation;

export const searchPayouts = {
  ...post,
  id: 'searchPayouts',
  path: '/search/payouts',
  summary: 'Find payouts by recipient, amount or reference',
  description:
    'In all batches, the newest batch first. It changes nothing. A page may have fewer payouts than asked for, even none: ' +
    'continue while there is a cursor. Results may be a second old. Payouts of a recipient are indexed. Without a recipient, ' +
    'payouts are scanned, some 20,000 per request: name the `batchId` if you know it. A year without a batch ends that search.',
  body: searchPayoutsBody,
  answer: { status: 200, description: 'A page of payouts.', schema: payoutPage },
  problems: ['batch_not_found'],
} as const satisfies Operation;

export const settlePayout = {
  ...post,
  id: 'settlePayout',
  path: '/payouts/{reference}/settle',
  summary: 'Settle a payout that waits for a person',
  description:
    'Asks the provider about it first, unless the decision is `noted`. A decision that contradicts a clear answer is refused. ' +
    'Nothing is submitted or resubmitted. If its batch has ended, resume the batch once all is settled, to write its reports ' +
    'again. Repeating the request returns the same answer, or `payout_conflict` once the provider’s own end was taken over.',
  pathParameters: payoutParameters,
  body: settlePayoutBody,
  answer: { status: 200, description: 'The payout after the decision.', schema: payoutView },
  problems: [
    'payout_not_found',
    'payout_conflict',
    'too_early',
    'evidence_contradicts',
    'evidence_missing',
    'file_altered',
    'file_gone',
    'nothing_contradicts',
    'provider_refused',
    'provider_unavailable',
  ],
} as const satisfies Operation;
