import * as z from 'zod';
import type { Audit, Batch, BatchEvent } from '../domain/batch.ts';
import type { BatchStatus } from '../domain/batch-status.ts';
import { batchStatuses, isBatchEnd } from '../domain/batch-status.ts';
import { once } from '../domain/once.ts';
import { contradictedEvent } from '../domain/payout.ts';
import { payoutStatuses } from '../domain/payout-status.ts';
import { decimalText } from './decimal-text.ts';
import type { Key } from './keys.ts';
import { createdAtAndId, dayOf, keys, openBatches } from './keys.ts';
import { reading } from './reading.ts';

const rail = once(() => z.enum(['fiat', 'crypto']));
const counter = once(() => z.int().nonnegative());
const retryCounts = once(() => z.array(z.object({ batchId: z.string(), payouts: counter() })));
const status = once(() => z.enum(batchStatuses));

const hashedFile = once(() => z.object({ key: z.string(), sha256: z.string() }));

const initiation = once(() =>
  z.object({
    message: z.enum(['pain.001.001.03', 'pain.001.001.09']),
    messageId: z.string(),
    createdAt: z.string(),
    count: z.string(),
    sum: z.string(),
    instructions: hashedFile().exactOptional(),
    statusReportKey: z.string().exactOptional(),
  }),
);

const plan = once(() =>
  z.object({
    prefix: z.string(),
    manifestKey: z.string().exactOptional(),
    hasNoProofs: z.literal(true).exactOptional(),
    sealKey: z.string(),
    sha256: z.string().exactOptional(),
    isWorkbook: z.literal(true).exactOptional(),
    chunks: counter(),
    canaryChunks: counter().exactOptional(),
    rows: counter(),
    validRows: counter(),
    invalidRows: counter(),
    alreadyPaid: z
      .object({ rows: counter(), batches: z.array(z.string()), lastOn: z.string().exactOptional() })
      .exactOptional(),
    errors: z.array(
      z.object({
        row: counter(),
        line: counter().exactOptional(),
        reference: z.string().exactOptional(),
        column: z.string(),
        code: z.string(),
        message: z.string(),
      }),
    ),
    errorsFile: hashedFile().exactOptional(),
    toCorrectKey: z.string().exactOptional(),
    currencies: z.array(
      z.object({
        rail: rail(),
        currency: z.string(),
        count: counter(),
        amount: decimalText(),
        fee: decimalText(),
        largestAmount: decimalText(),
        methods: z.array(z.object({ method: z.string(), count: counter(), amount: decimalText(), fee: decimalText() })),
      }),
    ),
    extraColumns: z.array(z.string()).exactOptional(),
    initiation: initiation().exactOptional(),
    repeatedDebts: z
      .object({
        rows: counter(),
        ofCorrected: counter().exactOptional(),
        ofPaid: z.object({ rows: counter(), batches: z.array(z.string()) }).exactOptional(),
        list: hashedFile(),
        first: z.array(
          z.object({
            row: counter(),
            reference: z.string(),
            earlierBatchId: z.string(),
            earlierRow: counter(),
            earlierReference: z.string().exactOptional(),
            earlierStatus: z.enum(payoutStatuses).exactOptional(),
            earlierProof: z.string().exactOptional(),
          }),
        ),
      })
      .exactOptional(),
    alsoCorrectedBy: z.array(z.string()).exactOptional(),
    retries: retryCounts().exactOptional(),
  }),
);

/** A planned conversion, in a batch's funding plan and in the record of a conversion. */
export const plannedConversion = once(() =>
  z.object({
    inputCurrency: z.string(),
    inputAmount: decimalText(),
    outputCurrency: z.string(),
    outputAmount: decimalText(),
    fee: decimalText(),
    rate: decimalText(),
  }),
);

const funding = once(() =>
  z.object({
    currencies: z.array(
      z.object({
        currency: z.string(),
        required: decimalText(),
        balance: decimalText(),
        reservedByOthers: decimalText(),
        shortfall: decimalText(),
        // Plans written before this was kept have none.
        unclear: decimalText().default('0'),
      }),
    ),
    conversions: z.array(plannedConversion()),
    // A plan that was stored without is good for no conversion: it is made anew.
    conversionsBefore: z.int().default(-1),
    plannedAt: z.string(),
    unclearSince: z.string().exactOptional(),
  }),
);

const approval = once(() =>
  z.object({
    hash: z.string(),
    findings: z.array(
      z.object({
        code: z.string(),
        message: z.string(),
        rows: counter(),
        against: z.string(),
        mayBeReleased: z.boolean(),
      }),
    ),
    why: z.enum(['findings', 'request', 'setting']),
    expiresAt: z.string().exactOptional(),
    approved: z.object({ by: z.string(), at: z.string(), reason: z.string() }).exactOptional(),
  }),
);

const release = once(() =>
  z.object({
    hash: z.string(),
    at: z.string(),
    day: z.string(),
    conversions: z.array(
      z.object({ inputCurrency: z.string(), inputAmount: decimalText(), outputCurrency: z.string() }),
    ),
  }),
);

const batch = once<z.ZodType<Batch>>(() =>
  z.object({
    batchId: z.string(),
    status: status(),
    reason: z.object({ code: z.string(), message: z.string() }).exactOptional(),
    resumeTo: status().exactOptional(),
    cancelRequestedAt: z.string().exactOptional(),
    mode: z.enum(['disburse', 'preview']),
    invalidRows: z.enum(['reject', 'skip']),
    allowSameFile: z.boolean(),
    approvalRequired: z.literal(true).exactOptional(),
    startAt: z.string().exactOptional(),
    canary: counter().exactOptional(),
    pauseAbove: counter().exactOptional(),
    expect: z
      .object({ rows: counter().exactOptional(), sums: z.record(z.string(), decimalText()).exactOptional() })
      .exactOptional(),
    file: z.object({ key: z.string(), versionId: z.string(), bytes: counter() }),
    createdAt: z.string(),
    createdBy: z.string(),
    statusSince: z.string(),
    executions: counter(),
    executionEnded: z.boolean().exactOptional(),
    plan: plan().exactOptional(),
    fees: z
      .array(
        z.object({
          rail: rail(),
          currency: z.string(),
          fee: decimalText(),
          source: z.enum(['payment_methods', 'crypto_estimate']),
        }),
      )
      .exactOptional(),
    funding: funding().exactOptional(),
    awaitingFundsSince: z.string().exactOptional(),
    refusedWords: z.string().exactOptional(),
    acknowledgedWords: z.array(z.string()).exactOptional(),
    claimUpTo: counter().exactOptional(),
    acknowledgedEnds: z.object({ ended: counter(), unpaid: counter() }).exactOptional(),
    corrects: z.string().exactOptional(),
    correctedBy: z.set(z.string()).exactOptional(),
    retriedBy: z.set(z.string()).exactOptional(),
    sharesDebtsWith: z.set(z.string()).exactOptional(),
    approval: approval().exactOptional(),
    release: release().exactOptional(),
    report: z
      .object({
        resultsKey: z.string(),
        retryKey: z.string().exactOptional(),
        retriesPaid: retryCounts().exactOptional(),
        evidenceKey: z.string(),
        statusReportKey: z.string().exactOptional(),
        reportedAt: z.string(),
        interim: z.object({ openRows: counter() }).exactOptional(),
        chunkVersions: counter().exactOptional(),
      })
      .exactOptional(),
  }),
);

export const readBatch = reading('batch', batch);

/** What puts a batch into the index of those that have not ended; `null` once it has. */
export const openWhile = (of: BatchStatus): string | null => (isBatchEnd(of) ? null : openBatches);

/** The batch's item, with what puts it into the indexes. */
export const batchItem = (
  of: Batch,
): Key & Batch & { readonly day: string; readonly createdAtAndId: string; readonly open?: string } => {
  const open = openWhile(of.status);
  return {
    ...keys.batch(of.batchId),
    ...of,
    day: dayOf(of.createdAt),
    createdAtAndId: createdAtAndId(of.createdAt, of.batchId),
    ...(open === null ? {} : { open }),
  };
};

const event = once<z.ZodType<BatchEvent>>(() =>
  z.object({
    at: z.string(),
    code: z.string(),
    by: z.string(),
    detail: z.string().exactOptional(),
    note: z.string().exactOptional(),
  }),
);

/** A line of the timeline, with what is known of it. */
export const eventOf = (
  at: string,
  {
    code,
    by,
    detail,
    note,
  }: Pick<Audit, 'code' | 'by'> & {
    readonly detail?: string | undefined;
    readonly note?: string | undefined;
  },
): BatchEvent => ({
  at,
  code,
  by,
  ...(detail === undefined ? {} : { detail }),
  ...(note === undefined ? {} : { note }),
});

export const readEvent = reading('event', event);
export const eventItem = (batchId: string, id: string, of: BatchEvent): Key & BatchEvent => ({
  ...(of.code === contradictedEvent ? keys.contradiction : keys.event)(batchId, of.at, id),
  ...of,
});

/** What an idempotency key stands for. Kept for ever: a payroll's key used again a year later must not pay again. */
export interface Idempotency {
  readonly batchId: string;
  readonly requestHash: string;
}

const idempotency = once<z.ZodType<Idempotency>>(() => z.object({ batchId: z.string(), requestHash: z.string() }));
export const readIdempotency = reading('idempotency', idempotency);
export const idempotencyItem = (caller: string, key: string, of: Idempotency): Key & Idempotency => ({
  ...keys.idempotency(caller, key),
  ...of,
});

/** What a day has released of a currency. */
export const readReleasedSum = reading('released', () => z.object({ currency: z.string(), amount: decimalText() }));

/** The batches that disburse a file version, or a content; absent when there is none (any more). */
export const readFileMark = reading('file', () => z.object({ batches: z.set(z.string()).exactOptional() }));
