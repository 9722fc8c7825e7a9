import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import type { Reconciliation } from '../../../functions/domain/payout/reconciliation.ts';
import { batchIn, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, time } = useLedger();
const report = { resultsKey: 'r', evidenceKey: 'e', reportedAt: 'then' };
const at = (ms: number): string => new Date(ms).toISOString();

/** A batch that ends now, to be compared in a minute. */
const endBatch = async () => {
  const batchId = await batchIn(ledger, 'processing');
  const endedAt = at(time.now);
  const due = { batchId, endedAt, dueAt: at(time.now + 60_000), round: 0 };
  await ledger.moveBatch(batchId, batchTransitions.complete, 'system', { report, reconcileAt: due.dueAt });
  return due;
};

const isListed = async ({ batchId, dueAt }: Pick<Reconciliation, 'batchId' | 'dueAt'>): Promise<boolean> =>
  (await ledger.listDueReconciliations()).some((due) => due.batchId === batchId && due.dueAt === dueAt);

describe('a comparison of an ended batch', () => {
  it('is scheduled with the end that it belongs to, and is found once it is due', async () => {
    const due = await endBatch();
    expect(await ledger.readReconciliation(due)).toEqual(due);
    expect((await ledger.getBatch(due.batchId))?.statusSince).toBe(due.endedAt);
    expect(await isListed(due)).toBe(false);
    time.now += 60_001;
    expect(await isListed(due)).toBe(true);
    expect(await ledger.listOpenBatches()).not.toContain(due.batchId);
  });

  it('is not scheduled when the end fails', async () => {
    const batchId = await batchIn(ledger, 'accepted');
    const dueAt = at(time.now);
    await ledger.moveBatch(batchId, batchTransitions.complete, 'system', { report, reconcileAt: dueAt });
    expect(await ledger.readReconciliation({ batchId, dueAt })).toBeUndefined();
  });

  it('keeps its position until it is over, and is then replaced by the next', async () => {
    const due = await endBatch();
    const kept = {
      ...due,
      firstPages: { fiat: 7 },
      cursor: { rails: [{ rail: 'fiat', page: 9 }], seen: 'AA==' },
    } as const;
    await ledger.keepReconciliation(kept);
    expect(await ledger.readReconciliation(due)).toEqual(kept);
    const next = { ...due, firstPages: { fiat: 7 }, round: 1, dueAt: at(time.now + 120_000) };
    await ledger.endReconciliation(kept, next);
    expect(await ledger.readReconciliation(due)).toBeUndefined();
    expect(await ledger.readReconciliation(next)).toEqual(next);
  });

  it('is added once for many requests, and replaces none', async () => {
    const due = await endBatch();
    const added = { ...due, round: 3, dueAt: at(time.now + 120_000) };
    await times(10, () => ledger.addReconciliation(added));
    await ledger.addReconciliation({ ...added, round: 4 });
    await ledger.addReconciliation({ ...due, round: 4 });
    expect([await ledger.readReconciliation(due), await ledger.readReconciliation(added)]).toEqual([due, added]);
    time.now += 120_001;
    expect([await isListed(due), await isListed(added)]).toEqual([true, true]);
  });

  it('is not restored by a late write after it is over', async () => {
    const due = await endBatch();
    const next = { ...due, round: 1, dueAt: at(time.now + 120_000) };
    await ledger.endReconciliation(due, next);
    await ledger.endReconciliation(next);
    await ledger.endReconciliation(due, next);
    await ledger.keepReconciliation({ ...due, cursor: { rails: [{ rail: 'fiat' }], seen: '' } });
    expect(await ledger.readReconciliation(due)).toBeUndefined();
    expect(await ledger.readReconciliation(next)).toBeUndefined();
  });
});
