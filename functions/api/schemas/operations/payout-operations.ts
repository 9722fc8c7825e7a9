import * as z from 'zod';
import { proofLink } from '../batch.ts';
import { batchPath, cursor, cursorDescription, limit, noneRead, nothing } from '../parameters.ts';
import { payoutPage, payoutStatus, payoutView } from '../payout.ts';
import { payoutParameters } from '../payout-path.ts';
import { recipientView, searchPayoutsBody } from '../recipient.ts';
import { settlePayoutBody } from '../settle.ts';
import type { Operation } from './operation.ts';

export const listPayouts = {
  id: 'listPayouts',
  method: 'get',
  path: '/batches/{batchId}/payouts',
  summary: 'List the payouts of a batch',
  description: 'In the order of chunks and rows. Payouts appear once their chunk is registered.',
  pathParameters: batchPath,
  query: z.strictObject({
    status: payoutStatus.exactOptional(),
    contradicted: z.literal('true').exactOptional().meta({
      description: 'Only those that the provider contradicts and nobody has seen to.',
      example: 'true',
    }),
    limit,
    cursor: cursor.meta({ description: cursorDescription, example: 'eyJjaHVuayI6MSwicm93Ijo5OH0' }),
  }),
  headers: noneRead,
  body: nothing,
  answer: { status: 200, description: 'A page of payouts.', schema: payoutPage },
  problems: ['batch_not_found'],
} as const satisfies Operation;

export const getPayout = {
  id: 'getPayout',
  method: 'get',
  path: '/payouts/{reference}',
  summary: 'Find a payout by its reference',
  description: 'References are unique over all batches.',
  pathParameters: payoutParameters,
  query: nothing,
  headers: noneRead,
  body: nothing,
  answer: { status: 200, description: 'The payout.', schema: payoutView },
  problems: ['payout_not_found'],
} as const satisfies Operation;

export const getProofLink = {
  id: 'getProofLink',
  method: 'get',
  path: '/payouts/{reference}/proof',
  summary: 'Get a short-lived link to the transfer proof of a payout',
  description:
    'The PDF of a completed bank transfer, as the provider had it when it was archived. It names the recipient.',
  pathParameters: payoutParameters,
  query: nothing,
  headers: noneRead,
  body: nothing,
  answer: { status: 200, description: 'Where to download it, and until when.', schema: proofLink },
  problems: ['payout_not_found', 'proof_not_ready'],
} as const satisfies Operation;

export const getRecipient = {
  id: 'getRecipient',
  method: 'post',
  path: '/payouts/{reference}/recipient',
  summary: 'Tell who a payout is to',
  description:
    'The name and the file’s own columns, for a caller with the right to see them. It changes nothing. It is a POST since roles ' +
    'may have every GET, and this is a right of its own. Who asked is logged.',
  pathParameters: payoutParameters,
  query: nothing,
  headers: noneRead,
  body: nothing,
  answer: { status: 200, description: 'Who it is to.', schema: recipientView },
  problems: ['payout_not_found', 'file_altered'],
} as const satisfies Operation;

export const searchPayouts = {
  id: 'searchPayouts',
  method: 'post',
  path: '/search/payouts',
  summary: 'Find payouts by recipient, amount or reference',
  description:
    'Over all batches, those of the newest batch first. It changes nothing. Bounded: a page may have fewer than asked for, even ' +
    'none; go on while there is a cursor. May be a second behind. A recipient is found at once. Without one, payouts are looked ' +
    'through, some 20,000 a request: name the `batchId` where you know it. A year without any batch ends that search.',
  pathParameters: noneRead,
  query: nothing,
  headers: noneRead,
  body: searchPayoutsBody,
  answer: { status: 200, description: 'A page of payouts.', schema: payoutPage },
  problems: [],
} as const satisfies Operation;

export const settlePayout = {
  id: 'settlePayout',
  method: 'post',
  path: '/payouts/{reference}/settle',
  summary: 'Settle a payout that nothing else settles',
  description:
    'Asks the provider about it first, unless the decision is `noted`. What the provider says plainly rules: a decision against it is refused. ' +
    'Nothing is ever submitted from here, and nothing is submitted again in place. When its batch has ended, resume the batch ' +
    'once all is settled: that writes its reports anew. Asked again, it answers the same.',
  pathParameters: payoutParameters,
  query: nothing,
  headers: noneRead,
  body: settlePayoutBody,
  answer: { status: 200, description: 'The payout, as it then stands.', schema: payoutView },
  problems: [
    'payout_not_found',
    'payout_conflict',
    'too_early',
    'evidence_contradicts',
    'evidence_missing',
    'file_altered',
    'nothing_contradicts',
    'provider_unavailable',
  ],
} as const satisfies Operation;
