import { describe, expect, it } from 'vitest';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { idr, tally } from '../../support/money.ts';
import { refreshedRecord, registeredChunk } from '../../support/scenes/registered-chunk.ts';
import { batchIn, chunkOf, claimOf, processingChunk, registered, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger } = useLedger();
const { observePending, observeCompleted, observeFailed } = payoutTransitions;

describe('counting a chunk', () => {
  it('sums amounts and fees by status exactly, and counts proofs', async () => {
    const { batchId } = await processingChunk(ledger, 4);
    await ledger.claimCall(claimOf(batchId, [1, 2, 3]));
    for (const row of [1, 2]) {
      await ledger.movePayout({ batchId, chunk: 1, row }, observeCompleted, { fee: idr('0.1') });
      await ledger.recordProof({ batchId, chunk: 1, row }, { key: `${row}.pdf`, sha256: 'ab', bytes: 1 });
    }
    expect(await ledger.refreshChunk(batchId, 1)).toMatchObject({ version: 2 });
    await ledger.movePayout({ batchId, chunk: 1, row: 3 }, observeFailed);
    const record = await refreshedRecord(ledger, batchId, 1);
    const { payouts } = await registeredChunk(ledger, batchId, 1);
    expect(payouts.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed', 'ready']);
    expect(record).toMatchObject({
      version: 3,
      proofs: 2,
      tallies: {
        ready: tally(1, '10.5', '0'),
        completed: tally(2, '21', '0.2'),
        failed: tally(1, '10.5', '0'),
      },
    });
    expect(record.tallies).not.toHaveProperty('submitting');
    expect(await ledger.listChunks(batchId)).toEqual([record]);
  });

  it('writes nothing when nothing changed', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    expect(await ledger.refreshChunk(batchId, 1)).toMatchObject({ version: 1 });
    expect(await ledger.listChunks(batchId)).toMatchObject([{ version: 1 }]);
  });

  it('is correct when many concurrently move payouts and count', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 30);
    await ledger.claimCall(
      claimOf(
        batchId,
        payouts.map(({ row }) => row),
      ),
    );
    await Promise.all(
      payouts.map(async (payout, index) => {
        await ledger.movePayout(payout, observePending, { disbursementId: `${batchId}-d${index}` });
        if (index % 3 === 0) await ledger.refreshChunk(batchId, 1);
        await ledger.movePayout(payout, index % 2 === 0 ? observeCompleted : observeFailed, { fee: idr('0.05') });
        if (index % 5 === 0) await ledger.refreshChunk(batchId, 1);
      }),
    );
    await times(4, () => ledger.refreshChunk(batchId, 1));
    expect((await ledger.listChunks(batchId))[0]?.tallies).toEqual({
      completed: tally(15, '157.5', '0.75'),
      failed: tally(15, '157.5', '0.75'),
    });
  });

  it('counts from the caller’s data, by the version that was read before it', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    const { record, payouts } = await registeredChunk(ledger, batchId, 1);
    const moved = await Promise.all(
      payouts.map((payout) => ledger.movePayout(payout, payoutTransitions.cancelUnclaimed)),
    );
    const current = moved.map(({ payout }) => payout);
    const { record: counted } = await ledger.recount({ record, payouts }, current);
    expect(counted).toMatchObject({ version: 2, tallies: { canceled: { count: 2 } } });
    expect(await ledger.listChunks(batchId)).toEqual([counted]);
    const again = await ledger.recount({ record: counted, payouts: current }, current);
    expect(again).toEqual({ record: counted, payouts: current });
  });

  it('notices a new claim that leaves the sums unchanged', async () => {
    const { batchId } = await processingChunk(ledger, 1);
    await ledger.claimCall(claimOf(batchId, [1]));
    // A child has read the record. A sweep returns the row and counts it as ready. Then the child reads the row and claims it.
    const record = await refreshedRecord(ledger, batchId, 1);
    await ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.returnClaim);
    expect(await ledger.refreshChunk(batchId, 1)).toMatchObject({ tallies: { ready: { count: 1 } } });
    const { payouts } = await registeredChunk(ledger, batchId, 1);
    await ledger.claimCall(claimOf(batchId, [1], 2));
    const claimed = payouts.map((payout) => ({ ...payout, status: 'submitting' as const, call: 2 }));
    await ledger.recount({ record, payouts }, claimed);
    expect(await ledger.listChunks(batchId)).toMatchObject([{ tallies: { submitting: { count: 1 } } }]);
  });

  it('counts again from the current state when another has counted since', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    const early = await registeredChunk(ledger, batchId, 1);
    await ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.cancelUnclaimed);
    await ledger.refreshChunk(batchId, 1);
    await ledger.movePayout({ batchId, chunk: 1, row: 2 }, payoutTransitions.cancelUnclaimed);
    const stale = early.payouts.map((payout) => ({ ...payout, status: 'pending' as const }));
    const { record, payouts } = await ledger.recount(early, stale);
    expect(record).toMatchObject({ version: 3, tallies: { canceled: { count: 2 } } });
    expect(payouts.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  });

  it('counts nothing before registration', async () => {
    expect(await ledger.refreshChunk(await batchIn(ledger, 'processing'), 1)).toBeUndefined();
  });
});

describe('reading chunks', () => {
  it('finds nothing before registration', async () => {
    expect(await ledger.readChunk('nowhere', 1)).toBeUndefined();
    expect(await ledger.listChunks('nowhere')).toEqual([]);
  });

  it('keeps chunks with similar numbers apart and in order', async () => {
    const batchId = await batchIn(ledger, 'processing');
    for (const chunk of [10, 1, 2]) await registered(ledger, chunkOf(batchId, 1, { chunk, firstRow: chunk }));
    expect((await ledger.listChunks(batchId)).map(({ chunk }) => chunk)).toEqual([1, 2, 10]);
    expect((await registeredChunk(ledger, batchId, 1)).payouts.map(({ row }) => row)).toEqual([1]);
  });

  it('returns calls in order of k', async () => {
    const { batchId } = await processingChunk(ledger, 12);
    for (const k of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) await ledger.claimCall(claimOf(batchId, [k], k));
    expect((await registeredChunk(ledger, batchId, 1)).calls.map(({ k }) => k)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });
});
