import * as z from 'zod';
import { batchPage, batchStatus, batchSummary, batchView, reportName } from '../batch.ts';
import { eventPage } from '../event.ts';
import { fileLink, proofArchive } from '../file-links.ts';
import { conversionView, fundsView } from '../funding.ts';
import {
  afterSequence,
  batchId,
  batchPath,
  cursor,
  cursorDescription,
  get,
  getOfBatch,
  limit,
  post,
  reasonBody,
  reasonText,
  wholeNumber,
} from '../parameters.ts';
import { approveBody, settleConversionBody } from '../settle.ts';
import { startBatchBody } from '../start-batch.ts';
import type { Operation } from './operation.ts';

export const startBatch = {
  ...post,
  id: 'startBatch',
  path: '/batches',
  summary: 'Start paying a file',
  description:
    'Pins the version of the file and starts the workflow. Repeating the request with the same Idempotency-Key returns ' +
    'the same batch.',
  headers: z.object({
    'idempotency-key': z
      .string()
      .regex(/^[\x20-\x7e]{1,128}$/, '1 to 128 printable ASCII characters')
      .meta({ description: 'Chosen by the caller, unique per batch wanted.', example: 'salaries-2026-01' }),
  }),
  body: startBatchBody,
  answer: { status: 202, description: 'The batch, started now or before by the same request.', schema: batchSummary },
  problems: [
    'idempotency_key_missing',
    'upload_not_found',
    'batch_not_found',
    'nothing_to_correct',
    'same_file',
    'file_too_large',
    'idempotency_key_reused',
  ],
} as const satisfies Operation;

export const listBatches = {
  ...get,
  id: 'listBatches',
  path: '/batches',
  summary: 'List batches, newest first',
  description:
    'Walks back from a day, at most 93 days per page. Continue while there is a cursor, even after an empty page. A year without a batch ends the list.',
  query: z.strictObject({
    status: batchStatus.exactOptional(),
    day: z.iso
      .date()
      .exactOptional()
      .meta({ description: 'UTC day to walk back from; today when left out.', example: '2026-01-05' }),
    limit,
    cursor: cursor.meta({ description: cursorDescription, example: 'eyJkYXkiOiIyMDI2LTAxLTA1In0' }),
  }),
  answer: { status: 200, description: 'A page of batches.', schema: batchPage },
} as const satisfies Operation;

export const getBatch = {
  ...getOfBatch,
  id: 'getBatch',
  path: '/batches/{batchId}',
  summary: 'Get the status of a batch',
  description:
    'Counts and sums by status and currency, fees, funding, conversions, timeline, and what can be done next.',
  query: z.strictObject({
    cursor: cursor.meta({
      description: 'The `cursor` of an answer, to get older lines of the timeline.',
      example: 'eyJhdCI6IjIwMjYtMDEtMDVUMDk6MDA6MDAuMDAwWiMwMUoifQ',
    }),
  }),
  answer: { status: 200, description: 'The batch.', schema: batchView },
} as const satisfies Operation;

export const listEvents = {
  ...getOfBatch,
  id: 'listEvents',
  path: '/batches/{batchId}/events',
  summary: 'List the events of a batch',
  description:
    'The events of the batch, in order: those published, and those about to be. They can be read for 400 days. Ask for those after the last one you have seen.',
  query: z.strictObject({ after: afterSequence, limit }),
  answer: { status: 200, description: 'A page of events.', schema: eventPage },
} as const satisfies Operation;

export const getFileLink = {
  ...get,
  id: 'getFileLink',
  path: '/batches/{batchId}/files/{name}',
  summary: 'Get a short-lived link to a file of a batch',
  description: 'The bad rows, the results, the rows to pay again, or the evidence of what was done.',
  pathParameters: z.object({ batchId, name: reportName.meta({ example: 'results.csv' }) }),
  answer: { status: 200, description: 'Where to download it, and until when.', schema: fileLink },
  problems: ['batch_not_found', 'file_not_ready'],
} as const satisfies Operation;

export const zipProofs = {
  ...post,
  id: 'zipProofs',
  path: '/batches/{batchId}/proofs',
  summary: 'Get all transfer proofs of a batch as a ZIP',
  description:
    'In parts of at most 250 proofs and 100 MiB, each made on request. Continue while there is a cursor. The batch does not ' +
    'change, and the ZIP is deleted a day later. Proofs name their recipients.',
  pathParameters: batchPath,
  body: z.strictObject({
    cursor: cursor.meta({ description: 'The `cursor` of the part before.', example: 'eyJjaHVuayI6MSwicm93Ijo5OH0' }),
  }),
  answer: { status: 200, description: 'Where to download the part, and until when.', schema: proofArchive },
  problems: ['batch_not_found', 'file_not_ready'],
} as const satisfies Operation;

/** An action on a batch, with a reason if there is one. */
const action = {
  ...post,
  pathParameters: batchPath,
  body: reasonBody,
  problems: ['batch_not_found', 'status_conflict'],
} as const;

export const pauseBatch = {
  ...action,
  id: 'pauseBatch',
  path: '/batches/{batchId}/pause',
  summary: 'Pause a batch',
  description:
    'Nothing more is submitted until it is resumed. Submitted payouts continue. A paused batch stays paused.',
  answer: { status: 200, description: 'The batch, paused.', schema: batchSummary },
} as const satisfies Operation;

export const resumeBatch = {
  ...action,
  id: 'resumeBatch',
  path: '/batches/{batchId}/resume',
  summary: 'Resume a batch',
  description:
    'A paused batch continues where it was, unless weeks have passed since its plan: then it can only be canceled. A batch ' +
    'whose workflow died gets a new one. So does an ended batch that has open payouts, lacks proofs, or has an outdated ' +
    'report: the provider is asked about open payouts, and the reports are written again. With `pausedSince`, repeating the ' +
    'request, even concurrently, changes nothing more. Without it, a late repetition also ends a pause that came meanwhile.',
  body: reasonBody.extend({
    pausedSince: z
      .string()
      .max(40)
      .exactOptional()
      .meta({
        description:
          'The `since` of the paused batch, as you have read it. When the batch was paused again after that, it stays paused ' +
          '(`status_conflict`), so that nobody ends a pause unseen.',
        example: '2026-01-05T09:10:00.000Z',
      }),
  }),
  answer: { status: 202, description: 'The batch, on its way again.', schema: batchSummary },
} as const satisfies Operation;

export const cancelBatch = {
  ...action,
  id: 'cancelBatch',
  path: '/batches/{batchId}/cancel',
  summary: 'Cancel the unsubmitted part of a batch',
  description:
    'Nothing more is submitted. The batch ends once the submitted payouts have ended, as canceled if any payout is ' +
    'canceled. It does not wait for those that are quarantined or held for long.',
  answer: { status: 202, description: 'The batch, about to be canceled.', schema: batchSummary },
} as const satisfies Operation;

export const approveBatch = {
  ...action,
  id: 'approveBatch',
  path: '/batches/{batchId}/approve',
  summary: 'Approve a batch',
  description:
    'By a person other than the starter, for the hash of its `approval`. If file, plan, fees, funding or findings have ' +
    'changed, the approval is void. If several people approve concurrently, one succeeds and the others get `status_conflict`.',
  body: approveBody,
  answer: { status: 202, description: 'The batch, about to be released.', schema: batchSummary },
  problems: ['batch_not_found', 'own_batch', 'not_an_approver', 'approval_void', 'approval_expired', 'status_conflict'],
} as const satisfies Operation;

export const rejectBatch = {
  ...action,
  id: 'rejectBatch',
  path: '/batches/{batchId}/reject',
  summary: 'Reject a batch',
  description:
    'By a person other than the starter; the starter can cancel instead. The batch ends as `canceled`, and nothing is paid.',
  body: z.strictObject({ reason: reasonText }),
  answer: { status: 200, description: 'The batch, canceled.', schema: batchSummary },
  problems: ['batch_not_found', 'own_batch', 'not_an_approver', 'status_conflict'],
} as const satisfies Operation;

export const settleConversion = {
  ...post,
  id: 'settleConversion',
  path: '/batches/{batchId}/conversions/{number}/settle',
  summary: 'Settle a conversion whose outcome is unknown',
  description:
    'Look it up at the provider first: `inputBalanceBefore` and `outputBalanceBefore` are the balances before it. Settling ' +
    'frees its currency pair. Whatever was decided, the batch then plans its funding anew from the current balances. ' +
    'Repeating the request returns the same answer.',
  pathParameters: batchPath.extend({
    number: wholeNumber(9_999_999).meta({ description: 'The `n` of the conversion.', example: 1 }),
  }),
  body: settleConversionBody,
  answer: { status: 200, description: 'The conversion, settled.', schema: conversionView },
  problems: ['batch_not_found', 'conversion_not_found', 'conversion_conflict', 'too_early'],
} as const satisfies Operation;

export const getFunds = {
  ...get,
  id: 'getFunds',
  path: '/funds',
  summary: 'List reserved money and locked currency pairs',
  description:
    'Money reserved for batches, currency pairs locked by a conversion, and the current rate of requests to the provider.',
  answer: { status: 200, description: 'Reservations, locks and the rate.', schema: fundsView },
} as const satisfies Operation;
