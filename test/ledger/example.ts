import { randomUUID } from 'node:crypto';
import type { TimelineLine } from '../../functions/domain/batch/batch.ts';
import type { BatchStatus } from '../../functions/domain/batch/batch-status.ts';
import { batchTransitions } from '../../functions/domain/batch/batch-status.ts';
import type { ChunkFile } from '../../functions/domain/batch/chunk-file.ts';
import type { Payout } from '../../functions/domain/payout/payout.ts';
import type { Ledger } from '../../functions/ports/ledger/ledger.ts';
import { idr, usdt } from '../support/money.ts';
import { newBatch } from '../support/scenes/new-batch.ts';
import { registeredChunk } from '../support/scenes/registered-chunk.ts';

/** Creates a batch and moves it to a status. Returns its id. */
export const batchIn = async (ledger: Ledger, status: BatchStatus): Promise<string> => {
  const { batchId } = newBatch();
  await ledger.createBatch(newBatch({ batchId }));
  const {
    startValidating,
    askApproval,
    refuseFile,
    preview,
    schedule,
    awaitFunds,
    startProcessing,
    pause,
    complete,
    completePartially,
    fail,
    cancel,
  } = batchTransitions;
  const ways: Readonly<Record<BatchStatus, readonly (typeof batchTransitions)[keyof typeof batchTransitions][]>> = {
    accepted: [],
    validating: [startValidating],
    validation_failed: [startValidating, refuseFile],
    previewed: [startValidating, preview],
    scheduled: [startValidating, schedule],
    awaiting_funds: [startValidating, awaitFunds],
    pending_approval: [startValidating, askApproval],
    processing: [startValidating, startProcessing],
    paused: [startValidating, startProcessing, pause],
    completed: [startValidating, startProcessing, complete],
    partially_completed: [startValidating, startProcessing, completePartially],
    failed: [startValidating, startProcessing, fail],
    canceled: [cancel],
  };
  for (const transition of ways[status]) await ledger.moveBatch(batchId, transition, 'system');
  return batchId;
};

/** A released batch that is being funded and has something to convert. */
export const releasedBatch = async (ledger: Ledger, status: BatchStatus = 'validating'): Promise<string> => {
  const batchId = await batchIn(ledger, 'validating');
  const planned = { input: usdt('1'), output: idr('1'), fee: idr('0'), rate: '1' };
  const funding = {
    currencies: [],
    conversions: [planned],
    conversionsBefore: 0,
    plannedAt: '2026-03-14T09:26:53.589Z',
  };
  const { batch } = await ledger.amendBatch(batchId, ['validating'], { funding });
  const conversions = [{ input: planned.input, outputCurrency: 'IDR' }];
  await ledger.releaseBatch(batch, { release: { hash: 'h', at: 't', day: '2026-03-14', conversions } });
  const { awaitFunds, startProcessing, pause, cancel, complete } = batchTransitions;
  const ways: Partial<Record<BatchStatus, readonly (typeof batchTransitions)[keyof typeof batchTransitions][]>> = {
    awaiting_funds: [awaitFunds],
    processing: [startProcessing],
    paused: [startProcessing, pause],
    canceled: [cancel],
    completed: [startProcessing, complete],
  };
  for (const transition of ways[status] ?? []) await ledger.moveBatch(batchId, transition, 'system');
  return batchId;
};

/** A chunk with this many payouts of 10.50 each, with rows from `firstRow`. */
export const chunkOf = (
  batchId: string,
  count: number,
  { chunk = 1, firstRow = 1, references }: { chunk?: number; firstRow?: number; references?: readonly string[] } = {},
): ChunkFile => ({
  batchId,
  chunk,
  rail: 'fiat',
  currency: 'IDR',
  payouts: Array.from({ length: count }, (_, index) => ({
    row: firstRow + index,
    reference: references?.[index] ?? `${batchId}-${firstRow + index}`,
    amount: '10.50',
    recipient: { kind: 'recipientId', recipientId: `recipient-${index}` },
  })),
});

/** Registers a chunk and returns its id and payouts. */
export const registered = async (ledger: Ledger, chunk: ChunkFile): Promise<readonly Payout[]> => {
  await ledger.registerPayouts(chunk);
  return (await registeredChunk(ledger, chunk.batchId, chunk.chunk)).payouts;
};

/** A processing batch with one registered chunk of this many payouts. */
export const processingChunk = async (
  ledger: Ledger,
  count: number,
): Promise<{ batchId: string; payouts: readonly Payout[] }> => {
  const batchId = await batchIn(ledger, 'processing');
  return { batchId, payouts: await registered(ledger, chunkOf(batchId, count)) };
};

/** A claim of rows of chunk 1 with a new claim id. */
export const claimOf = (batchId: string, rows: readonly number[], k = 1, claimedAt = '2026-03-14T09:26:53.589Z') => ({
  batchId,
  chunk: 1,
  k,
  rows,
  payloadHash: 'payload',
  claimId: randomUUID(),
  claimedAt,
});

/** A batch's whole timeline, including the provider's contradictions. */
export const timelineOf = async (ledger: Ledger, batchId: string): Promise<readonly TimelineLine[]> => {
  const parts = await Promise.all(
    (['line', 'contradiction'] as const).map((kind) =>
      ledger.listTimeline(batchId, { limit: 1000, kind, consistent: true }),
    ),
  );
  return parts.flatMap(({ items }) => items);
};

export const times = <Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
