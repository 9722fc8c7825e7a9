import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { batchTransitions } from '../../functions/domain/batch/batch-status.ts';
import { Money } from '../../functions/domain/money/money.ts';
import { sumByCurrency } from '../../functions/domain/money/money-by-currency.ts';
import { payoutTransitions } from '../../functions/domain/payout/payout-status.ts';
import { newBatch } from '../support/scenes/new-batch.ts';
import { batchIn, chunkOf, claimOf, processingChunk, timelineOf } from './example.ts';
import { losingAnswers } from './faults.ts';
import { useLedger } from './table.ts';

const { ledger, dependencies } = useLedger();
/** Each of its writes succeeds, loses its answer, and is repeated by the SDK. */
const lossy = losingAnswers(dependencies);

it('creates one batch and reports that', async () => {
  const request = newBatch();
  expect(await lossy.createBatch(request)).toMatchObject({ kind: 'created', batch: { batchId: request.batchId } });
  expect(await timelineOf(ledger, request.batchId)).toHaveLength(1);
});

it('moves a batch once', async () => {
  const batchId = await batchIn(ledger, 'processing');
  expect(await lossy.moveBatch(batchId, batchTransitions.pause, 'system')).toMatchObject({ kind: 'moved' });
  expect((await timelineOf(ledger, batchId)).filter(({ code }) => code === 'batch.paused')).toHaveLength(1);
});

it('registers a chunk whole', async () => {
  const batchId = await batchIn(ledger, 'processing');
  // With more concurrent writes the SDK stops repeating, because it considers the service unavailable.
  const chunk = chunkOf(batchId, 10);
  await lossy.registerPayouts(chunk);
  expect(await ledger.listChunks(batchId)).toMatchObject([{ version: 1, tallies: { ready: { count: 10 } } }]);
});

it('gives the permit to the claim that took it', async () => {
  const { batchId } = await processingChunk(ledger, 3);
  expect(await lossy.claimCall(claimOf(batchId, [1, 2, 3]))).toEqual({ kind: 'claimed' });
});

it('returns a moved payout’s current state', async () => {
  const { batchId } = await processingChunk(ledger, 1);
  const moved = await lossy.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.reject);
  expect(moved).toMatchObject({ kind: 'refused', payout: { status: 'rejected' } });
});

it('counts the same record', async () => {
  const { batchId } = await processingChunk(ledger, 2);
  await ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.reject);
  expect(await lossy.refreshChunk(batchId, 1)).toMatchObject({
    version: 2,
    tallies: { rejected: { count: 1 } },
  });
});

it('reserves once', async () => {
  const currency = `C${randomUUID()}`;
  const batchId = await batchIn(ledger, 'validating');
  expect(
    await lossy.reserve(batchId, await ledger.readFunds([currency]), sumByCurrency([Money.of('5', currency)])),
  ).toBe(true);
  expect(await ledger.readFunds([currency])).toMatchObject([{ version: 1 }]);
});
