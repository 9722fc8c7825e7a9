import * as z from 'zod';
import type { Batch, FeeEstimate, FundingPlan, Release, TimelineLine } from '../../domain/batch/batch.ts';
import { storedBatch, storedLine } from '../../domain/batch/batch.ts';
import type { BatchStatus } from '../../domain/batch/batch-status.ts';
import { isBatchEnd } from '../../domain/batch/batch-status.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import { Money } from '../../domain/money/money.ts';
import { controlTotalsInText, inText, plannedConversionInText } from '../../domain/money/money-records.ts';
import { contradictedEvent } from '../../domain/payout/payout.ts';
import { decimalText, record } from '../../domain/records.ts';
import type { Key } from '../table/keys.ts';
import { createdAtAndId, dayOf, keys, openBatches } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { Item } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { creating } from '../table/writes.ts';

export const readBatch = reading('batch', storedBatch);

/** Reads the item of a batch that must exist. */
export const batchOf = (batchId: string, item: Item | undefined): Batch => {
  if (item === undefined) throw new InvariantBroken(`batch_missing: ${batchId}`);
  return readBatch(item);
};

/** Value of `open`, the attribute that indexes batches that have not ended. `null` once the batch has ended. */
const openWhile = (status: BatchStatus): string | null => (isBatchEnd(status) ? null : openBatches);

/** The attributes of a batch that moves to a status. A reason explains the current status, so a new status clears it. */
export const movedTo = (status: BatchStatus, statusSince: string) => ({
  reason: null,
  status,
  statusSince,
  open: openWhile(status),
});

const fundingItem = ({ currencies, conversions, ...rest }: FundingPlan) => ({
  ...rest,
  currencies: inText(currencies),
  conversions: conversions.map(plannedConversionInText),
});

const feeEstimateItem = ({ fee, ...rest }: FeeEstimate) => ({ ...rest, currency: fee.currency, fee: fee.amount });

export const releaseItem = ({ conversions, ...rest }: Release) => ({
  ...rest,
  conversions: conversions.map(({ input, outputCurrency }) => ({
    inputCurrency: input.currency,
    inputAmount: input.amount,
    outputCurrency,
  })),
});

/** The attributes that changes set on a batch's item. `null` removes an attribute. */
export const batchAttributes = (changes: { readonly [Field in keyof Batch]?: Batch[Field] | null }) => {
  const { plan, fees, funding, expect, release } = changes;
  return {
    ...changes,
    ...given({
      plan: plan && inText(plan),
      fees: fees?.map(feeEstimateItem),
      funding: funding && fundingItem(funding),
      expect: expect && controlTotalsInText(expect),
      release: release && releaseItem(release),
    }),
  };
};

/** The batch's item, including the attributes that index it. */
export const batchItem = (batch: Batch): Key & Readonly<Record<string, unknown>> => {
  const open = openWhile(batch.status);
  return {
    ...keys.batch(batch.batchId),
    ...batchAttributes(batch),
    day: dayOf(batch.createdAt),
    createdAtAndId: createdAtAndId(batch.createdAt, batch.batchId),
    ...(open === null ? {} : { open }),
  };
};

/** A line of the timeline to be written. */
export type NewLine = Pick<TimelineLine, 'at' | 'code' | 'by' | 'payoutStatus'> &
  Partial<Record<'detail' | 'note', string | undefined>>;

export const readLine = reading('line', storedLine);
export const lineItem = (batchId: string, id: string, line: TimelineLine): Key & TimelineLine => ({
  ...(line.code === contradictedEvent ? keys.contradiction : keys.line)(batchId, line.at, id),
  ...line,
});

/** Adds a line to the timeline. */
export const lineWrite = (batchId: string, id: string, { detail, note, ...line }: NewLine): Write =>
  creating(lineItem(batchId, id, { ...line, ...given({ detail, note }) }));

/** The batch that an idempotency key created. Kept forever: a payroll's key reused a year later must not pay again. */
const idempotency = record(() => ({ batchId: z.string(), requestHash: z.string() }));
export type Idempotency = z.infer<ReturnType<typeof idempotency>>;
export const readIdempotency = reading('idempotency', idempotency);
/** The sum that one day released of one currency. */
export const readReleasedSum = reading('released', () =>
  z
    .object({ currency: z.string(), amount: decimalText() })
    .transform(({ currency, amount }) => Money.of(amount, currency)),
);

/** The batches that disburse a file version or a content. `batches` is absent when there are none, or no longer any. */
export const readFileMark = reading('file', () => z.object({ batches: z.set(z.string()).exactOptional() }));
