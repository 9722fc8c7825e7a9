import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { FundsView } from '../../../functions/api/schemas/funding.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import type { Place } from '../../../functions/console/markup/drawing.ts';
import { Drawing } from '../../../functions/console/markup/drawing.ts';
import type { Html } from '../../../functions/console/markup/html.ts';
import { drawBatch } from '../../../functions/console/views/batch.ts';
import { drawBatches } from '../../../functions/console/views/batches.ts';
import { drawColumns } from '../../../functions/console/views/columns.ts';
import { drawArchive } from '../../../functions/console/views/download.ts';
import { drawPayout, drawPayouts } from '../../../functions/console/views/payouts.ts';
import { drawProvider } from '../../../functions/console/views/provider.ts';
import { drawRecipient, drawRecipientForm } from '../../../functions/console/views/recipient.ts';
import type { UploadToDraw } from '../../../functions/console/views/uploads.ts';
import { drawUploads } from '../../../functions/console/views/uploads.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { payoutStatuses } from '../../../functions/domain/payout/payout-status.ts';

export const at = '2026-01-05T09:00:00.000Z';
export const consoleArn = 'arn:aws:lambda:us-east-1:000000000000:function:DrawConsole';
export const steeringArn = 'arn:aws:lambda:us-east-1:000000000000:function:SteerBatch';

export const beginningArn = 'arn:aws:lambda:us-east-1:000000000000:function:BeginBatch';

export const drawingAt = (place: Partial<Place> = {}): Drawing =>
  new Drawing({
    console: consoleArn,
    steering: steeringArn,
    beginning: beginningArn,
    theme: 'light',
    width: 1200,
    timezone: { offsetISO: '+07:00' },
    nowMs: Date.parse(at) + 3 * 3_600_000,
    ...place,
  });

const tally = (count: number, amount: string) => ({ count, amount, fee: '0' });

/** Two currencies, one with a conversion and one short. */
export const fundingWith = (text: string): NonNullable<BatchView['funding']> => ({
  plannedAt: at,
  currencies: [
    { currency: 'IDR', required: '9', balance: '0', reservedByOthers: '0', shortfall: '9', unclear: '0' },
    { currency: text, required: '9', balance: '2', reservedByOthers: '0', shortfall: '7', unclear: '1' },
  ],
  conversions: [
    { inputCurrency: text, inputAmount: '1', outputCurrency: 'IDR', outputAmount: '9', fee: '0', rate: '9' },
  ],
});

/** A batch with most optional fields. `text` is text from others. */
export const batchWith = (text: string, changes: Partial<BatchView> = {}): BatchView => ({
  batchId: 'b-1',
  status: 'processing',
  reason: { code: text, message: text },
  since: at,
  mode: 'disburse',
  invalidRows: 'skip',
  allowSameFile: false,
  startAt: at,
  canary: 2,
  pauseAbove: 5,
  file: { key: `uploads/${text.replaceAll('/', '')}`, versionId: text, bytes: 1 },
  createdAt: at,
  createdBy: text,
  cancelRequestedAt: at,
  executions: [{ name: text, consoleUrl: `https://console.test/${text}` }],
  plan: {
    rows: 1_234_567,
    validRows: 2,
    invalidRows: 30,
    chunks: 1,
    errors: [
      { row: 0, column: text, code: text, message: text },
      { row: 7, line: 9, reference: text, column: text, code: text, message: text },
    ],
  },
  countsAsOf: at,
  counts: Object.fromEntries(payoutStatuses.map((status) => [status, 10])),
  skippedRows: 3,
  currencies: [
    {
      rail: 'fiat',
      currency: text,
      planned: { count: 20, amount: '1250000.5' },
      statuses: Object.fromEntries(payoutStatuses.map((status) => [status, tally(10, '625000.25')])),
      feeEstimated: '1',
      feeActual: '2',
      feeBeyondEstimate: true,
    },
  ],
  approval: {
    hash: text,
    findings: [{ code: text, message: text, rows: 1, against: text, mayBeReleased: true }],
    why: 'findings',
  },
  conversions: [
    {
      n: 1,
      status: 'unknown',
      inputCurrency: text,
      outputCurrency: text,
      plannedInputAmount: '1',
      plannedOutputAmount: '2',
      rate: '2',
      inputBalanceBefore: '1',
      outputBalanceBefore: '1',
      claimedAt: at,
    },
  ],
  proofs: { archived: 1, expected: 2, request: text },
  triedAgain: [{ batchId: 'b-2', status: 'processing', payouts: 2, paid: 1 }],
  attention: [
    { code: text, message: text, count: 2, since: at, requests: [text, 'GET /batches/b-1/payouts?status=failed'] },
    { code: 'second', message: text, requests: ['GET /batches/b-1/files/errors.csv'] },
  ],
  timeline: [{ at, code: text, by: text, detail: text, note: text }],
  cursor: 'next',
  reports: { writtenAt: at, openRows: 1, interim: true },
  files: ['errors.csv', 'to-correct.csv', 'results.csv'],
  actions: ['pause', 'resume', 'approve', 'reject', 'cancel'],
  ...changes,
});

export const payoutWith = (text: string, changes: Partial<PayoutView> = {}): PayoutView => ({
  batchId: 'b-1',
  row: 7,
  chunk: 1,
  reference: text,
  bankCode: text,
  account: text,
  rail: 'fiat',
  currency: text,
  amount: '150000.5',
  status: 'quarantined',
  reason: { code: text, message: text, providerText: text },
  contradictions: [{ code: text, disbursementId: text, observed: 'failed', at, noted: false }],
  since: at,
  wayOut: { code: text, message: text, requests: [text], decisions: ['paid', 'not_paid'] },
  disbursementId: text,
  fee: '4000',
  proof: { key: text, sha256: text, bytes: 1 },
  heldBy: text,
  updatedAt: at,
  ...changes,
});

const fundsWith = (text: string): FundsView => ({
  reservations: [
    { currency: text, batchId: 'b-1', batchStatus: text, amount: '10' },
    { currency: text, batchId: 'b-2', batchStatus: text, amount: '20' },
  ],
  locks: [
    {
      inputCurrency: text,
      outputCurrency: text,
      batchId: 'b-1',
      conversion: 1,
      since: at,
      state: 'in_doubt',
      wayOut: { code: text, message: text, requests: [text] },
    },
  ],
  providerPace: [
    { kind: 'post', limitPerSecond: 20, perSecond: 5, queuedMs: 1200, blockedUntil: at },
    { kind: 'read', limitPerSecond: 0, perSecond: 0, queuedMs: 0 },
  ],
});

const archiveWith = (text: string) => ({ kind: 'made', name: text, url: text, expiresAt: at, proofs: 250 }) as const;
export const uploadWith = (text: string, changes: Partial<UploadToDraw> = {}): UploadToDraw => ({
  key: `uploads/${text}`,
  versionId: 'v-1',
  bytes: 18_432,
  uploadedAt: at,
  mayBegin: true,
  batches: [
    { batchId: 'b-2', mode: 'disburse', status: 'validation_failed' },
    { batchId: 'b-1', mode: 'preview', status: 'previewed' },
  ],
  corrects: `b-${'0'.repeat(26)}`,
  ...changes,
});

const checkedWith = (text: string): NonNullable<UploadToDraw['checked']> => ({
  ...{ invalidRows: 'skip', skippedRows: 3, canary: 2 },
  planned: [{ count: 2, amount: Money.of('9.5', text) }],
  findings: [{ message: text }],
});

/** Draws each view with this text in place of each value from outside. */
export const viewsWith = (text: string, place: Partial<Place> = {}): Readonly<Record<string, () => Html>> => {
  const drawing = drawingAt(place);
  const page = { payouts: payoutStatuses.map((status) => payoutWith(text, { status })), cursor: 'next' };
  const unpaid = page.payouts;
  return {
    batches: () =>
      drawBatches(drawing, {
        batches: [batchWith(text)],
        askedFor: new Set(),
        status: 'processing',
        cursor: 'next',
      }),
    batch: () => drawBatch(drawing, { batch: batchWith(text), unpaid, hasMoreUnpaid: true, askedIn: [] }),
    preview: () =>
      drawBatch(drawing, {
        batch: batchWith(text, { status: 'previewed', mode: 'preview', actions: [] }),
        unpaid: [],
        hasMoreUnpaid: false,
        askedIn: [],
      }),
    'a file that was asked for': () =>
      drawBatch(drawing, {
        batch: batchWith(text, { status: 'previewed', mode: 'preview', actions: [], funding: fundingWith(text) }),
        unpaid: [],
        hasMoreUnpaid: false,
        askedIn: ['b-2'],
      }),
    uploads: () =>
      drawUploads(drawing, {
        uploads: [
          uploadWith(text),
          uploadWith(text, { checked: checkedWith(text) }),
          uploadWith(text, { mayBegin: false }),
        ],
        found: 5000,
        isWhole: false,
        startsWith: text,
        invalidRows: 'skip',
        uploadPage: `https://console.test/${text}`,
      }),
    payouts: () => drawPayouts(drawing, { view: 'contradicted', batchId: 'b-1' }, page),
    payout: () => drawPayout(drawing, payoutWith(text), undefined),
    archive: () => drawArchive(drawing, 'b-1', { ...archiveWith(text), altered: 1, cursor: 'next' }),
    recipient: () => drawRecipient(drawing, page),
    'the form for a recipient': () => drawRecipientForm(drawing),
    columns: () => drawColumns(drawing),
    provider: () => drawProvider(drawing, fundsWith(text)),
  };
};
