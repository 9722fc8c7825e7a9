import { describe, expect, it } from 'vitest';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import { openContradictions } from '../../../functions/domain/payout/payout.ts';
import type { PayoutTransition } from '../../../functions/domain/payout/payout-status.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { refreshedRecord, registeredChunk } from '../../support/scenes/registered-chunk.ts';
import { claimOf, processingChunk, timelineOf, times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, time } = useLedger();
const { observePending, observeCompleted, observeFailed, quarantine } = payoutTransitions;

const failed = { code: 'changed_after_end', disbursementId: 'd-1', observed: 'failed' } as const;
const completed = { ...failed, observed: 'completed' } as const;
const canceled = { ...failed, observed: 'canceled' } as const;
const second = { code: 'reference_used_twice', disbursementId: 'd-2', observed: 'pending' } as const;
const audit = { code: 'payout.settled', by: 'arn:person', detail: 'noted', note: 'Ticket 4711' };

const moved = async (...way: readonly PayoutTransition[]): Promise<Payout> => {
  const { batchId } = await processingChunk(ledger, 2);
  await ledger.claimCall(claimOf(batchId, [1]));
  for (const transition of way) await ledger.movePayout({ batchId, chunk: 1, row: 1 }, transition);
  const payout = (await registeredChunk(ledger, batchId, 1)).payouts[0];
  if (payout === undefined) throw new Error('no payout');
  return payout;
};

const reread = ({ reference }: Payout): Promise<Payout | undefined> => ledger.getPayoutByReference(reference);
const eventsOf = async ({ batchId }: Payout, code: string) =>
  (await timelineOf(ledger, batchId)).filter((event) => event.code === code);

describe('recording a contradiction', () => {
  it('keeps the status, adds to the record, and writes the timeline in the same transaction', async () => {
    const payout = await moved(observeCompleted);
    time.now += 1000;
    const first = await ledger.recordContradiction(payout, failed);
    const at = new Date(time.now).toISOString();
    expect(first).toEqual({
      kind: 'moved',
      payout: { ...payout, contradictions: [{ ...failed, at }], updatedAt: at },
    });
    const later = await ledger.recordContradiction(first.payout, canceled);
    expect(later.payout.contradictions?.map(({ observed }) => observed)).toEqual(['failed', 'canceled']);
    expect(await reread(payout)).toEqual(later.payout);
    const events = await eventsOf(payout, 'payout.contradicted');
    expect(events.map(({ by, detail }) => [by, detail])).toEqual([
      ['system', `${payout.reference} is completed; changed_after_end: d-1 is failed`],
      ['system', `${payout.reference} is completed; changed_after_end: d-1 is canceled`],
    ]);
  });

  it('succeeds for one of many concurrent writers, and the others get the current state', async () => {
    const payout = await moved(observeCompleted);
    const answers = await times(5, () => ledger.recordContradiction(payout, failed));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    for (const answer of answers) expect(answer.payout.contradictions).toHaveLength(1);
    expect(await eventsOf(payout, 'payout.contradicted')).toHaveLength(1);
  });

  it('fails once the status has changed, and for a payout read before another record', async () => {
    const payout = await moved(observePending);
    await ledger.movePayout(payout, observeCompleted);
    const refused = await ledger.recordContradiction(payout, second);
    expect(refused).toMatchObject({ kind: 'refused', payout: { status: 'completed' } });
    await ledger.recordContradiction(refused.payout, second);
    expect(await ledger.recordContradiction(refused.payout, failed)).toMatchObject({ kind: 'refused' });
    expect(await eventsOf(payout, 'payout.contradicted')).toHaveLength(1);
  });

  it('counts for other batches if the payout has ended unpaid, once for many concurrent writers', async () => {
    const unpaid = await moved(observePending, observeFailed);
    const { batchId } = unpaid;
    expect(await ledger.countUnpaidContradictions(batchId)).toBe(0);
    await times(5, () => ledger.recordContradiction(unpaid, completed));
    expect(await ledger.countUnpaidContradictions(batchId)).toBe(1);
    await ledger.recordContradiction((await reread(unpaid)) ?? unpaid, second);
    await ledger.noteContradictions((await reread(unpaid)) ?? unpaid, audit);
    expect(await ledger.countUnpaidContradictions(batchId)).toBe(2);
    const paid = await moved(observeCompleted);
    await ledger.recordContradiction(paid, failed);
    expect(await ledger.countUnpaidContradictions(paid.batchId)).toBe(0);
  });

  it('persists while the payout moves to its end', async () => {
    const payout = await moved(observePending);
    await ledger.recordContradiction(payout, second);
    const { payout: ended } = await ledger.movePayout(payout, observeCompleted);
    expect(ended).toMatchObject({ status: 'completed', contradictions: [second] });
  });
});

describe('noting contradictions', () => {
  it('covers the recorded contradictions, once, and no later ones', async () => {
    const payout = await moved(observeCompleted);
    const { payout: contradicted } = await ledger.recordContradiction(payout, failed);
    const answers = await times(3, () => ledger.noteContradictions(contradicted, audit));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    for (const answer of answers) expect(openContradictions(answer.payout)).toEqual([]);
    expect(await eventsOf(payout, 'payout.settled')).toMatchObject([{ by: 'arn:person', note: 'Ticket 4711' }]);
    const noted = (await reread(payout)) ?? payout;
    const { payout: again } = await ledger.recordContradiction(noted, canceled);
    expect(again.status).toBe('completed');
    expect(openContradictions(again)).toMatchObject([canceled]);
    expect(await ledger.noteContradictions(again, audit)).toMatchObject({ kind: 'moved' });
    expect(await ledger.noteContradictions(again, audit)).toMatchObject({ kind: 'refused' });
  });

  it('fails when another was recorded since the read', async () => {
    const { payout } = await ledger.recordContradiction(await moved(observeCompleted), failed);
    await ledger.recordContradiction(payout, canceled);
    const refused = await ledger.noteContradictions(payout, audit);
    expect(refused.kind).toBe('refused');
    expect(openContradictions(refused.payout)).toHaveLength(2);
    expect(await eventsOf(payout, 'payout.settled')).toEqual([]);
  });
});

describe('a chunk with contradicted payouts', () => {
  it('counts them with their time, becomes newer with each record, and lists only them', async () => {
    const payout = await moved(observeCompleted);
    const { batchId, chunk } = payout;
    const before = await refreshedRecord(ledger, batchId, chunk);
    expect(before).toMatchObject({ contradictions: { recorded: 0, payouts: 0 }, waitingSince: {} });
    const waiting = () => ledger.listPayouts({ batchId, limit: 10, contradicted: true });
    expect(await waiting()).toEqual({ items: [] });

    const first = await ledger.recordContradiction(payout, failed);
    const since = first.payout.contradictions?.[0]?.at;
    const recorded = await refreshedRecord(ledger, batchId, chunk);
    expect(recorded).toMatchObject({ contradictions: { recorded: 1, payouts: 1, since }, version: before.version + 1 });
    expect((await waiting()).items).toEqual([first.payout]);
    expect((await ledger.listPayouts({ batchId, limit: 10, contradicted: true, status: 'failed' })).items).toEqual([]);

    time.now += 60_000;
    const later = await ledger.recordContradiction(first.payout, canceled);
    const twice = await refreshedRecord(ledger, batchId, chunk);
    expect(twice).toMatchObject({ contradictions: { recorded: 2, payouts: 1, since }, version: before.version + 2 });

    await ledger.noteContradictions(later.payout, audit);
    const noted = await refreshedRecord(ledger, batchId, chunk);
    expect(noted.contradictions).toEqual({ recorded: 2, payouts: 0, withoutProof: 1 });
    expect(noted.version).toBe(before.version + 3);
    expect(await waiting()).toEqual({ items: [] });
    expect(await ledger.listChunks(batchId)).toEqual([noted]);
  });

  it('shows since when the oldest payout waits in a status, until none does', async () => {
    const payout = await moved(observePending, quarantine);
    const { batchId, chunk } = payout;
    time.now += 60_000;
    await ledger.movePayout({ batchId, chunk, row: 2 }, payoutTransitions.quarantineUnposted);
    const record = await refreshedRecord(ledger, batchId, chunk);
    expect(record.waitingSince).toEqual({ quarantined: payout.statusSince });
    for (const row of [1, 2]) await ledger.movePayout({ batchId, chunk, row }, payoutTransitions.settlePaid);
    expect((await refreshedRecord(ledger, batchId, chunk)).waitingSince).toEqual({});
  });
});
