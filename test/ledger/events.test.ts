import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../functions/domain/batch/batch-status.ts';
import { numberNews } from '../../functions/domain/events/cloud-event.ts';
import { payoutTransitions } from '../../functions/domain/payout/payout-status.ts';
import type { FoundNews } from '../../functions/ports/ledger/event-ledger.ts';
import type { Ledger } from '../../functions/ports/ledger/ledger.ts';
import { batchIn, claimOf, processingChunk, times } from './example.ts';
import { dyingAfter } from './faults.ts';
import { useLedger } from './table.ts';

const { ledger, dependencies, time } = useLedger();

const later = '2100-01-01T00:00:00.000Z';

const newsOf = async (batchId: string): Promise<readonly FoundNews[]> => {
  const ids: string[] = [];
  for await (const one of ledger.listNewsBefore(later)) if (one.batchId === batchId) ids.push(one.newsId);
  return ledger.readNews(batchId, ids);
};

const numberAll = async (by: Pick<Ledger, 'readEventNumbers' | 'writeEvents'>, batchId: string): Promise<boolean> => {
  const [before, found] = [await by.readEventNumbers(batchId), await newsOf(batchId)];
  const numbered = numberNews(
    batchId,
    before,
    found.map(({ news }) => news),
  );
  return by.writeEvents(before, found, numbered);
};

describe('news', () => {
  it('is written for each new status of a batch, in the order of its timeline', async () => {
    const batchId = await batchIn(ledger, 'completed');
    const news = (await newsOf(batchId)).map((one) => one.news);
    expect(news).toMatchObject([
      { kind: 'batch', code: 'batch.accepted', status: 'accepted' },
      { code: 'batch.validating', status: 'validating' },
      { code: 'batch.processing', status: 'processing' },
      { code: 'batch.completed', status: 'completed' },
    ]);
  });

  it('is not written for a failed move', async () => {
    const batchId = await batchIn(ledger, 'paused');
    const before = await newsOf(batchId);
    await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
    expect(await newsOf(batchId)).toEqual(before);
  });

  it('is written for a payout that a person should know of, with its previous status', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    await ledger.claimCall(claimOf(batchId, [1]));
    const id = { batchId, chunk: 1, row: 1 };
    await ledger.movePayout(id, payoutTransitions.observePending);
    const held = await ledger.movePayout(id, payoutTransitions.observeOnHold, { disbursementId: 'd-1' });
    await ledger.movePayout(id, payoutTransitions.observeCompleted);
    expect(held).toMatchObject({ kind: 'moved', payout: { status: 'on_hold', disbursementId: 'd-1' } });
    const again = await ledger.movePayout(id, payoutTransitions.observeOnHold);
    expect(again).toMatchObject({ kind: 'refused', payout: { status: 'completed' } });
    const news = (await newsOf(batchId)).filter(({ news }) => news.kind === 'payout');
    expect(news).toMatchObject([
      { news: { code: 'payout.on_hold', row: 1, chunk: 1, status: 'on_hold', previousStatus: 'pending' } },
    ]);
  });

  it('is written once when many see a held payout concurrently', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    await ledger.claimCall(claimOf(batchId, [1]));
    const id = { batchId, chunk: 1, row: 1 };
    const answers = await times(5, () => ledger.movePayout(id, payoutTransitions.observeOnHold));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    expect((await newsOf(batchId)).filter(({ news }) => news.kind === 'payout')).toHaveLength(1);
  });

  it('is written for a contradiction, and distinguishes money that came back', async () => {
    const { batchId } = await processingChunk(ledger, 2);
    await ledger.claimCall(claimOf(batchId, [1]));
    const { payout } = await ledger.movePayout({ batchId, chunk: 1, row: 1 }, payoutTransitions.observeCompleted);
    const found = { code: 'changed_after_end', disbursementId: 'd-1', observed: 'failed' } as const;
    const first = await ledger.recordContradiction(payout, found);
    await ledger.recordContradiction(first.payout, { ...found, code: 'reference_used_twice', disbursementId: 'd-2' });
    const news = (await newsOf(batchId)).flatMap(({ news }) => (news.kind === 'payout' ? [news] : []));
    expect(news).toMatchObject([
      { code: 'payout.returned', status: 'completed', observed: 'failed', reason: 'changed_after_end' },
      { code: 'payout.contradicted', status: 'completed', observed: 'failed', reason: 'reference_used_twice' },
    ]);
  });
});

describe('numbers', () => {
  it('are given by one of many concurrent publishers, one per event', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const answers = await times(5, () => numberAll(ledger, batchId));
    expect(answers.filter((isWritten) => isWritten)).toHaveLength(1);
    expect(await newsOf(batchId)).toEqual([]);
    const events = await ledger.listEventsAfter(batchId, 0, 10);
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3].map((n) => `${batchId}-000000${n}`));
    expect(await ledger.readEventNumbers(batchId)).toMatchObject({ sequence: 3, status: 'processing', published: 0 });
  });

  it('continue after the last, and none is given twice', async () => {
    const batchId = await batchIn(ledger, 'validating');
    const [stale, found] = [await ledger.readEventNumbers(batchId), await newsOf(batchId)];
    await numberAll(ledger, batchId);
    await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
    await numberAll(ledger, batchId);
    const again = numberNews(
      batchId,
      stale,
      found.map(({ news }) => news),
    );
    expect(await ledger.writeEvents(stale, found, again)).toBe(false);
    const current = await ledger.readEventNumbers(batchId);
    expect(await ledger.writeEvents(current, found, numberNews(batchId, current, []))).toBe(false);
    const events = await ledger.listEventsAfter(batchId, 1, 10);
    expect(events.map(({ sequence, data }) => [sequence, data.status])).toEqual([
      ['0000002', 'validating'],
      ['0000003', 'processing'],
    ]);
    expect(await ledger.listEventsAfter(batchId, 0, 1)).toHaveLength(1);
  });

  it('are not given by a publisher that dies before its transaction', async () => {
    const batchId = await batchIn(ledger, 'validating');
    await expect(numberAll(dyingAfter(dependencies, 0), batchId)).rejects.toThrow('died');
    expect(await ledger.readEventNumbers(batchId)).toMatchObject({ sequence: 0 });
    expect(await numberAll(ledger, batchId)).toBe(true);
  });
});

describe('what is published', () => {
  const unpublished = async () => Array.fromAsync(ledger.listUnpublished());

  it('leaves the index when it is complete, and returns with the next number', async () => {
    const batchId = await batchIn(ledger, 'validating');
    await numberAll(ledger, batchId);
    expect(await unpublished()).toContain(batchId);
    await ledger.markPublished(batchId, 1);
    expect(await unpublished()).toContain(batchId);
    await ledger.markPublished(batchId, 2);
    expect(await unpublished()).not.toContain(batchId);
    await ledger.markPublished(batchId, 1);
    expect(await ledger.readEventNumbers(batchId)).toMatchObject({ sequence: 2, published: 2 });
    time.now += 1;
    await ledger.moveBatch(batchId, batchTransitions.startProcessing, 'system');
    await numberAll(ledger, batchId);
    expect(await unpublished()).toContain(batchId);
  });
});
