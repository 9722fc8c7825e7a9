import { describe, expect, it } from 'vitest';
import { batchStatuses, batchTransitions } from '../../functions/domain/batch-status.ts';
import { payoutTransitions } from '../../functions/domain/payout-status.ts';
import { registeredChunk } from '../support/registered-chunk.ts';
import { batchIn, chunkOf, claimOf, processingChunk, registered } from './example.ts';
import { useLedger } from './table.ts';

const { ledger } = useLedger();
const { observePending, observeCompleted, observeFailed } = payoutTransitions;

/** Statuses that `batchIn` knows a way to. */
const reached = batchStatuses.filter(
  (status) => !['pending_approval', 'partially_completed', 'failed'].includes(status),
);
const ends: readonly string[] = ['validation_failed', 'previewed', 'completed', 'canceled'];

describe('the batches that have not ended', () => {
  it.each(reached)('have one that is %s, unless that is an end', async (status) => {
    const batchId = await batchIn(ledger, status);
    expect((await ledger.listOpenBatches()).includes(batchId)).toBe(!ends.includes(status));
  });

  it('keep one that is paused and goes on, whatever else is written of it', async () => {
    const batchId = await batchIn(ledger, 'paused');
    await ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'system');
    await ledger.requestCancel(batchId, 'arn:person');
    await ledger.beginExecution(batchId, 1, 'arn:person');
    await ledger.amendBatch(batchId, ['processing'], { endedExecution: 2 });
    expect(await ledger.listOpenBatches()).toContain(batchId);
  });
});

describe('the chunks in which something is open', () => {
  it('are those with a payout that has not ended or lacks its proof, in order, as their records are', async () => {
    const batchId = await batchIn(ledger, 'processing');
    for (const chunk of [10, 2, 1]) await registered(ledger, chunkOf(batchId, 1, { chunk, firstRow: chunk }));
    expect(await ledger.listOpenChunks(batchId)).toEqual(await ledger.listChunks(batchId));

    const [first] = (await registeredChunk(ledger, batchId, 1)).payouts;
    if (first === undefined) throw new Error('no payout');
    const open = async () => {
      await ledger.refreshChunk(batchId, 1);
      return (await ledger.listOpenChunks(batchId)).map(({ chunk }) => chunk);
    };
    await ledger.claimCall(claimOf(batchId, [1]));
    expect(await open()).toEqual([1, 2, 10]);
    await ledger.movePayout(first, observePending);
    expect(await open()).toEqual([1, 2, 10]);
    await ledger.movePayout(first, observeCompleted);
    expect(await open()).toEqual([1, 2, 10]);
    await ledger.recordProof(first, { key: 'k', sha256: 's', bytes: 1 });
    expect(await open()).toEqual([2, 10]);
  });

  it('are none once all of its payouts have failed', async () => {
    const { batchId } = await processingChunk(ledger, 1);
    await ledger.claimCall(claimOf(batchId, [1]));
    await ledger.movePayout({ batchId, chunk: 1, row: 1 }, observeFailed);
    await ledger.refreshChunk(batchId, 1);
    expect(await ledger.listOpenChunks(batchId)).toEqual([]);
    expect(await ledger.listOpenChunks('nowhere')).toEqual([]);
  });
});
