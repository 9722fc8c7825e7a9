import { describe, expect, it } from 'vitest';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { createLedger } from '../../../functions/ledger/ledger.ts';
import { tally } from '../../support/money.ts';
import { batchIn, chunkOf, claimOf, processingChunk, registered } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, dependencies, time } = useLedger();
const { observePending, observeFailed } = payoutTransitions;

const now = (): string => new Date(time.now).toISOString();

/** Submits one payout of a batch of two, and counts its chunk. */
const submitOne = async (batchId: string, row = 1, k = 1): Promise<void> => {
  await ledger.claimCall(claimOf(batchId, [row], k));
  await ledger.movePayout({ batchId, chunk: 1, row }, observePending);
  await ledger.refreshChunk(batchId, 1);
};

const counts = async (...wanted: Parameters<typeof ledger.readProgress>) => {
  const { currencies } = await ledger.readProgress(...wanted);
  return Object.fromEntries(Object.entries(currencies[0]?.tallies ?? {}).map(([status, { count }]) => [status, count]));
};

describe('the progress of a batch', () => {
  it('adds up all its chunks as of a time', async () => {
    const batchId = await batchIn(ledger, 'processing');
    for (const chunk of [1, 2]) await registered(ledger, chunkOf(batchId, 3, { chunk, firstRow: 3 * chunk }));
    const registeredAt = now();
    time.now += 1000;
    expect(await ledger.readProgress(batchId, { atMostMs: 5000 })).toEqual({
      asOf: now(),
      chunks: 2,
      payouts: 6,
      currencies: [{ rail: 'fiat', currency: 'IDR', tallies: { ready: tally(6, '63', '0') } }],
      proofs: { archived: 0, expected: 0 },
      waitingSince: { ready: registeredAt },
      notAtProviderSince: registeredAt,
      longPending: { count: 0 },
      contradictions: { recorded: 0, payouts: 0 },
      chunkVersions: 2,
    });
  });

  it('is reused while it is recent, and added up again after that', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    const first = await ledger.readProgress(batchId, { atMostMs: 5000 });
    await submitOne(batchId);
    time.now += 5000;
    expect(await ledger.readProgress(batchId, { atMostMs: 5000 })).toEqual(first);
    time.now += 1;
    expect(await counts(batchId, { atMostMs: 5000 })).toEqual({ ready: 1, pending: 1 });
  });

  it('is newer than a known change', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    await ledger.readProgress(batchId, { atMostMs: 5000 });
    time.now += 1000;
    await submitOne(batchId);
    const changedAt = now();
    expect(await counts(batchId, { atMostMs: 5000 })).toEqual({ ready: 2 });
    time.now += 1000;
    expect(await counts(batchId, { atMostMs: 5000, changedAt })).toEqual({ ready: 1, pending: 1 });
    await submitOne(batchId, 2, 2);
    time.now += 1000;
    expect(await counts(batchId, { atMostMs: 5000, changedAt })).toEqual({ ready: 1, pending: 1 });
  });

  it('is current when requested so, without changing the stored one', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    await ledger.readProgress(batchId, { atMostMs: 5000 });
    await submitOne(batchId);
    expect(await counts(batchId, { consistent: true })).toEqual({ ready: 1, pending: 1 });
    expect(await counts(batchId, { atMostMs: 5000 })).toEqual({ ready: 2 });
  });

  it('is never replaced by a sum that began earlier', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    const late = createLedger({ ...dependencies, clock: () => time.now - 3000 });
    await submitOne(batchId);
    const newest = await ledger.readProgress(batchId, { atMostMs: 0 });
    expect(newest.asOf).toBe(now());
    await ledger.movePayout({ batchId, chunk: 1, row: 1 }, observeFailed);
    await ledger.refreshChunk(batchId, 1);
    expect((await late.readProgress(batchId, { atMostMs: 0, changedAt: newest.asOf })).asOf).not.toBe(newest.asOf);
    expect(await ledger.readProgress(batchId, { atMostMs: 5000 })).toEqual(newest);
  });

  it('is empty without chunks', async () => {
    expect(await ledger.readProgress('nowhere', { atMostMs: 5000 })).toMatchObject({ chunks: 0, payouts: 0 });
  });
});

describe('the timeline', () => {
  it('is read newest first in pages, each in order of time, to the end', async () => {
    const batchId = await batchIn(ledger, 'accepted');
    for (let execution = 1; execution <= 6; execution += 1) {
      time.now += 1000;
      await ledger.beginExecution(batchId, execution, 'arn:person');
    }
    const pages: (string | undefined)[][] = [];
    let cursor: string | undefined;
    do {
      const page = await ledger.listTimeline(batchId, { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.items.map(({ code, detail }) => detail?.slice(-2) ?? code));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([['-5', '-6', '-7'], ['-2', '-3', '-4'], ['batch.accepted']]);
  });

  it('is not crowded out by the provider’s contradictions', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 3);
    for (const payout of payouts)
      await ledger.recordContradiction(payout, { code: 'c', disbursementId: 'd', observed: 'failed' });
    const events = await ledger.listTimeline(batchId, { limit: 10 });
    expect(events.items.map(({ code }) => code)).not.toContain('payout.contradicted');
    const contradictions = await ledger.listTimeline(batchId, { limit: 2, kind: 'contradiction' });
    expect(contradictions.items.map(({ code }) => code)).toEqual(['payout.contradicted', 'payout.contradicted']);
    expect(contradictions.cursor).toBeDefined();
  });

  it.each(['x', Buffer.from('{"row":1}').toString('base64url')])('rejects the cursor %s', async (cursor) => {
    await expect(ledger.listTimeline('b', { limit: 1, cursor })).rejects.toThrow('cursor_invalid');
  });
});
