import * as z from 'zod';
import { batchPage, batchStatus, batchSummary, batchView, fileLink, reportName, startBatchBody } from './batch.ts';
import type { Operation } from './operation.ts';
import { payoutPage, payoutStatus, payoutView } from './payout.ts';

const nothing = z.object({});

const batchId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,80}$/)
  .meta({ description: 'As the start answered it.', example: 'b-01jgfjjz00e5x7b6nrw2m8k4vd' });
const ofBatch = z.object({ batchId });

const limit = z.coerce.number().int().min(1).max(100).default(50).meta({ description: 'Page size.', example: 50 });
const cursor = z.string().min(1).max(4096).exactOptional().meta({
  description: 'The `cursor` of the page before.',
  example: 'eyJyb3ciOjk4fQ',
});

export const startBatch = {
  id: 'startBatch',
  method: 'post',
  path: '/batches',
  summary: 'Start paying a file',
  description:
    'Pins the version of the file and starts the workflow. The same Idempotency-Key with the same request answers the ' +
    'same batch, however often it is sent.',
  pathParameters: nothing,
  query: nothing,
  headers: z.object({
    'idempotency-key': z
      .string()
      .regex(/^[\x20-\x7e]{1,128}$/, '1 to 128 printable ASCII characters')
      .meta({ description: 'Chosen by the caller, unique per batch wanted.', example: 'salaries-2026-01' }),
  }),
  body: startBatchBody,
  answer: { status: 202, description: 'The batch, started now or before by the same request.', schema: batchSummary },
  problems: ['idempotency_key_missing', 'upload_not_found', 'same_file', 'file_too_large', 'idempotency_key_reused'],
} as const satisfies Operation;

export const listBatches = {
  id: 'listBatches',
  method: 'get',
  path: '/batches',
  summary: 'List batches, newest first',
  description: 'Walks back from a day, 31 days a page at most: go on while there is a cursor.',
  pathParameters: nothing,
  query: z.object({
    status: batchStatus.exactOptional(),
    day: z.iso
      .date()
      .exactOptional()
      .meta({ description: 'UTC day to walk back from; today when left out.', example: '2026-01-05' }),
    limit,
    cursor,
  }),
  headers: nothing,
  body: nothing,
  answer: { status: 200, description: 'A page of batches.', schema: batchPage },
  problems: [],
} as const satisfies Operation;

export const getBatch = {
  id: 'getBatch',
  method: 'get',
  path: '/batches/{batchId}',
  summary: 'Tell how a batch stands',
  description:
    'Counts and sums by status and currency, fees, funding, conversions, timeline, and what can be done next.',
  pathParameters: ofBatch,
  query: nothing,
  headers: nothing,
  body: nothing,
  answer: { status: 200, description: 'The batch.', schema: batchView },
  problems: ['batch_not_found'],
} as const satisfies Operation;

export const listPayouts = {
  id: 'listPayouts',
  method: 'get',
  path: '/batches/{batchId}/payouts',
  summary: 'List the payouts of a batch',
  description: 'In the order of chunks and rows. Payouts appear once their chunk is registered.',
  pathParameters: ofBatch,
  query: z.object({ status: payoutStatus.exactOptional(), limit, cursor }),
  headers: nothing,
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
  pathParameters: z.object({
    reference: z.string().min(1).max(1024).meta({ description: 'URL-encoded.', example: 'salary-2026-01-0007' }),
  }),
  query: nothing,
  headers: nothing,
  body: nothing,
  answer: { status: 200, description: 'The payout.', schema: payoutView },
  problems: ['payout_not_found'],
} as const satisfies Operation;

export const getFileLink = {
  id: 'getFileLink',
  method: 'get',
  path: '/batches/{batchId}/files/{name}',
  summary: 'Get a short-lived link to a file of a batch',
  description: 'The bad rows, the results, the rows to pay again, or the evidence of what was done.',
  pathParameters: z.object({ batchId, name: reportName.meta({ example: 'results.csv' }) }),
  query: nothing,
  headers: nothing,
  body: nothing,
  answer: { status: 200, description: 'Where to download it, and until when.', schema: fileLink },
  problems: ['batch_not_found', 'file_not_ready'],
} as const satisfies Operation;

export const pauseBatch = {
  id: 'pauseBatch',
  method: 'post',
  path: '/batches/{batchId}/pause',
  summary: 'Pause a batch',
  description:
    'Nothing more is submitted until it is resumed; what was submitted goes on. A paused batch stays paused.',
  pathParameters: ofBatch,
  query: nothing,
  headers: nothing,
  body: nothing,
  answer: { status: 200, description: 'The batch, paused.', schema: batchSummary },
  problems: ['batch_not_found', 'status_conflict'],
} as const satisfies Operation;

export const resumeBatch = {
  id: 'resumeBatch',
  method: 'post',
  path: '/batches/{batchId}/resume',
  summary: 'Resume a batch',
  description:
    'A paused batch goes on where it was. A batch that has ended but still has open payouts (on hold, quarantined, not ' +
    'yet settled) is followed once more and reported again. A batch whose workflow died is given a new one.',
  pathParameters: ofBatch,
  query: nothing,
  headers: nothing,
  body: nothing,
  answer: { status: 202, description: 'The batch, on its way again.', schema: batchSummary },
  problems: ['batch_not_found', 'status_conflict'],
} as const satisfies Operation;

export const cancelBatch = {
  id: 'cancelBatch',
  method: 'post',
  path: '/batches/{batchId}/cancel',
  summary: 'Cancel what of a batch is not submitted',
  description:
    'Nothing more is submitted from now on. What was submitted is followed to its end; then the batch ends as canceled.',
  pathParameters: ofBatch,
  query: nothing,
  headers: nothing,
  body: nothing,
  answer: { status: 202, description: 'The batch, about to be canceled.', schema: batchSummary },
  problems: ['batch_not_found', 'status_conflict'],
} as const satisfies Operation;

/** The endpoints with IAM authorization, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  startBatch,
  listBatches,
  getBatch,
  listPayouts,
  getPayout,
  getFileLink,
  pauseBatch,
  resumeBatch,
  cancelBatch,
];
