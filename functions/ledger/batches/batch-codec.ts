import * as z from 'zod';
import type { Audit, Batch, BatchEvent } from '../../domain/batch/batch.ts';
import { batchModes, invalidRowsChoices } from '../../domain/batch/batch.ts';
import type { BatchStatus } from '../../domain/batch/batch-status.ts';
import { batchStatuses, isBatchEnd } from '../../domain/batch/batch-status.ts';
import { given } from '../../domain/given.ts';
import { Money } from '../../domain/money/money.ts';
import { controlTotalsInText, controlTotalsOfText } from '../../domain/money/money-records.ts';
import { once } from '../../domain/once.ts';
import { contradictedEvent } from '../../domain/payout/payout.ts';
import { feeEstimate, feeEstimateItem, funding, fundingItem, release, releaseItem } from '../funds/funding-codec.ts';
import type { Key } from '../table/keys.ts';
import { createdAtAndId, dayOf, keys, openBatches } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import { counter, decimalText } from '../table/schemas.ts';
import { plan, planItem, retryCounts } from './plan-codec.ts';

const status = once(() => z.enum(batchStatuses));

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

const batch = once<z.ZodType<Batch>>(() =>
  z.object({
    batchId: z.string(),
    status: status(),
    reason: z.object({ code: z.string(), message: z.string() }).exactOptional(),
    resumeTo: status().exactOptional(),
    cancelRequestedAt: z.string().exactOptional(),
    mode: z.enum(batchModes),
    invalidRows: z.enum(invalidRowsChoices),
    allowSameFile: z.boolean(),
    approvalRequired: z.literal(true).exactOptional(),
    startAt: z.string().exactOptional(),
    canary: counter().exactOptional(),
    pauseAbove: counter().exactOptional(),
    expect: z
      .object({ rows: counter().exactOptional(), sums: z.record(z.string(), decimalText()).exactOptional() })
      .transform(controlTotalsOfText)
      .exactOptional(),
    file: z.object({ key: z.string(), versionId: z.string(), bytes: counter() }),
    createdAt: z.string(),
    createdBy: z.string(),
    statusSince: z.string(),
    executions: counter(),
    executionEnded: z.boolean().exactOptional(),
    plan: plan().exactOptional(),
    fees: z.array(feeEstimate()).exactOptional(),
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

/** Value of `open`, the attribute that indexes batches that have not ended. `null` once the batch has ended. */
export const openWhile = (of: BatchStatus): string | null => (isBatchEnd(of) ? null : openBatches);

type Changes = { readonly [Field in keyof Batch]?: Batch[Field] | null };

/** The attributes that changes set on a batch's item. `null` removes an attribute. */
export const batchAttributes = ({
  plan: planned,
  fees,
  funding: funded,
  expect,
  release: released,
  ...of
}: Changes) => ({
  ...of,
  ...(planned === undefined ? {} : { plan: planned && planItem(planned) }),
  ...(fees === undefined ? {} : { fees: fees?.map(feeEstimateItem) ?? null }),
  ...(funded === undefined ? {} : { funding: funded && fundingItem(funded) }),
  ...(expect === undefined ? {} : { expect: expect && controlTotalsInText(expect) }),
  ...(released === undefined ? {} : { release: released && releaseItem(released) }),
});

/** The batch's item, including the attributes that index it. */
export const batchItem = (of: Batch): Key & Readonly<Record<string, unknown>> => {
  const open = openWhile(of.status);
  return {
    ...keys.batch(of.batchId),
    ...batchAttributes(of),
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

/** A line of the timeline. */
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
  ...given({ detail, note }),
});

export const readEvent = reading('event', event);
export const eventItem = (batchId: string, id: string, of: BatchEvent): Key & BatchEvent => ({
  ...(of.code === contradictedEvent ? keys.contradiction : keys.event)(batchId, of.at, id),
  ...of,
});

/** The batch that an idempotency key created. Kept forever: a payroll's key reused a year later must not pay again. */
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

/** The sum that one day released of one currency. */
export const readReleasedSum = reading('released', () =>
  z
    .object({ currency: z.string(), amount: decimalText() })
    .transform(({ currency, amount }) => Money.of(amount, currency)),
);

/** The batches that disburse a file version or a content. `batches` is absent when there are none (any more). */
export const readFileMark = reading('file', () => z.object({ batches: z.set(z.string()).exactOptional() }));
