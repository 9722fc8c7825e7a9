import { describe, expect, it } from 'vitest';
import { InvalidCursor, InvariantBroken } from '../../../functions/domain/errors.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { PayoutTransition } from '../../../functions/domain/payout/payout-status.ts';
import { payoutTransitions } from '../../../functions/domain/payout/payout-status.ts';
import { idr } from '../../support/money.ts';
import { registeredChunk } from '../../support/scenes/registered-chunk.ts';
import { batchIn, chunkOf, claimOf, processingChunk, registered, timelineOf, times } from '../example.ts';
import { interruptedBy } from '../faults.ts';
import { useLedger } from '../table.ts';

const { ledger, dependencies, time } = useLedger();
const {
  observePending,
  observeOnHold,
  observeCompleted,
  observeFailed,
  quarantine,
  loseSight,
  returnClaim,
  provenAbsent,
  reject,
} = payoutTransitions;

/** A payout that was claimed and then moved by these transitions. */
const moved = async (...way: readonly PayoutTransition[]): Promise<Payout> => {
  const { batchId } = await processingChunk(ledger, 1);
  await ledger.claimCall(claimOf(batchId, [1]));
  for (const transition of way) await ledger.movePayout({ batchId, chunk: 1, row: 1 }, transition);
  const payout = (await registeredChunk(ledger, batchId, 1)).payouts[0];
  if (payout === undefined) throw new Error('no payout');
  return payout;
};

const reread = async ({ reference }: Payout): Promise<Payout | undefined> => ledger.getPayoutByReference(reference);

describe('moving a payout', () => {
  it('sets the move’s fields and keeps the rest', async () => {
    const payout = await moved();
    const answer = await ledger.movePayout(payout, observeCompleted, { disbursementId: 'd-1', fee: idr('0.25') });
    expect(answer).toMatchObject({
      kind: 'moved',
      payout: { status: 'completed', disbursementId: 'd-1', fee: idr('0.25') },
    });
    expect(await reread(payout)).toEqual(answer.payout);
  });

  it('keeps the known disbursement when another one comes from a writer that did not know it', async () => {
    const payout = await moved();
    const known = await ledger.movePayout(payout, observePending, { disbursementId: 'd-1' });
    const other = await ledger.movePayout(payout, observeCompleted, { disbursementId: 'd-2' });
    expect(other).toEqual({ kind: 'refused', payout: known.payout });
    expect(await ledger.movePayout(payout, observeCompleted, { disbursementId: 'd-1' })).toMatchObject({
      kind: 'moved',
    });
  });

  it('is refused when the payout leaves the status that the news would name', async () => {
    const payout = await moved(loseSight);
    const late = interruptedBy(dependencies, () => ledger.movePayout(payout, quarantine));
    const refused = { kind: 'refused', payout: { status: 'quarantined' } };
    expect(await late.movePayout(payout, observeOnHold)).toMatchObject(refused);
  });

  it('drops the reason of the status it leaves', async () => {
    const payout = await moved(loseSight);
    const reason = { code: 'lookup_ambiguous', message: 'Two disbursements have this reference.' };
    expect((await ledger.movePayout(payout, quarantine, { reason })).payout.reason).toEqual(reason);
    expect((await ledger.movePayout(payout, observePending)).payout).not.toHaveProperty('reason');
  });

  it.each([
    { end: observeCompleted, late: [observePending, observeOnHold, observeFailed, quarantine, returnClaim] },
    { end: observeFailed, late: [observePending, observeCompleted, loseSight] },
    { end: payoutTransitions.reject, late: [observePending, payoutTransitions.claim, observeCompleted] },
  ])('never leaves the end made by $end.name', async ({ end, late }) => {
    const payout = await moved(end);
    for (const transition of late)
      expect(await ledger.movePayout(payout, transition)).toEqual({ kind: 'refused', payout });
    expect(await reread(payout)).toEqual(payout);
  });

  it('keeps the end when concurrent late writers bring older statuses', async () => {
    const payout = await moved();
    await Promise.all([
      ledger.movePayout(payout, observePending),
      ledger.movePayout(payout, observeCompleted),
      ledger.movePayout(payout, observeOnHold),
      ledger.movePayout(payout, loseSight),
    ]);
    expect((await reread(payout))?.status).toBe('completed');
  });

  it('takes one of two concurrent ends, and answers the other with that one', async () => {
    const payout = await moved(observePending);
    const answers = await Promise.all([
      ledger.movePayout(payout, observeCompleted),
      ledger.movePayout(payout, observeFailed),
    ]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['moved', 'refused']);
    expect(answers[0]?.payout).toEqual(answers[1]?.payout);
  });

  it('throws for a missing payout', async () => {
    const nowhere = { batchId: 'nowhere', chunk: 1, row: 1 };
    await expect(ledger.movePayout(nowhere, observePending)).rejects.toThrow(InvariantBroken);
  });
});

describe('settling a payout', () => {
  const audit = { code: 'payout.settled', by: 'arn:person', detail: 'ref not_paid', note: 'Ticket 4711' };
  const reason = { code: 'settled_not_paid', message: 'Settled.' };

  it('is one transaction with its line in the timeline, made by one of two', async () => {
    const payout = await moved(loseSight, quarantine);
    const answers = await Promise.all([
      ledger.movePayout(payout, payoutTransitions.settleNotPaid, { reason }, { audit }),
      ledger.movePayout(
        payout,
        payoutTransitions.writeOff,
        { reason },
        { audit: { ...audit, detail: 'ref written_off' } },
      ),
    ]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['moved', 'refused']);
    const current = await reread(payout);
    expect(answers.map((answer) => answer.payout)).toEqual([current, current]);
    const events = (await timelineOf(ledger, payout.batchId)).filter(({ code }) => code === audit.code);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ by: 'arn:person', note: 'Ticket 4711' });
    expect(events[0]?.detail).toBe(current?.status === 'failed' ? 'ref written_off' : 'ref not_paid');
  });

  it('keeps the time of the status, whatever else changes', async () => {
    const payout = await moved(loseSight);
    const since = payout.statusSince;
    time.now += 60_000;
    await ledger.countAbsence(payout);
    expect((await reread(payout))?.statusSince).toBe(since);
    await ledger.movePayout(payout, quarantine);
    expect((await reread(payout))?.statusSince).toBe(new Date(time.now).toISOString());
  });
});

describe('counting absences', () => {
  it('counts one proof once, even for concurrent writers', async () => {
    const payout = await moved(loseSight);
    const answers = await times(5, () => ledger.countAbsence(payout));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    const first = await reread(payout);
    expect(first?.absences).toBe(1);
    expect(await ledger.countAbsence(first ?? payout)).toMatchObject({ kind: 'moved', payout: { absences: 2 } });
  });

  it('fails once the payout was found', async () => {
    const payout = await moved(loseSight);
    await ledger.movePayout(payout, observePending);
    expect(await ledger.countAbsence(payout)).toMatchObject({ kind: 'refused', payout: { status: 'pending' } });
  });
});

describe('the outcome of a call that another one followed', () => {
  /** A payout as read by the process that settles its first call, after its second call has claimed it. */
  const overtaken = async (): Promise<Payout> => {
    const payout = await moved();
    await ledger.movePayout(payout, provenAbsent, {}, { call: 1 });
    await ledger.claimCall(claimOf(payout.batchId, [1], 2));
    return payout;
  };

  it.each([returnClaim, provenAbsent, loseSight, reject, quarantine])(
    'does not move the payout by $name',
    async (transition) => {
      const payout = await overtaken();
      expect(await ledger.movePayout(payout, transition, {}, { call: 1 })).toMatchObject({
        kind: 'refused',
        payout: { status: 'submitting', call: 2 },
      });
      expect(await ledger.movePayout(payout, transition, {}, { call: 2 })).toMatchObject({ kind: 'moved' });
    },
  );

  it('is no proof that the second is absent', async () => {
    expect(await ledger.countAbsence(await overtaken())).toMatchObject({
      kind: 'refused',
      payout: { status: 'submitting', call: 2 },
    });
  });
});

describe('recording a proof', () => {
  const proof = { key: 'proofs/1.pdf', sha256: 'ab', bytes: 1234 };

  it('keeps the first', async () => {
    const payout = await moved(observeCompleted);
    expect(await ledger.recordProof(payout, proof)).toMatchObject({ status: 'completed', proof });
    expect(await ledger.recordProof(payout, { ...proof, sha256: 'cd' })).toMatchObject({ proof });
    const { batchId } = payout;
    const proven = () => ledger.listPayouts({ batchId, limit: 10, proven: true });
    // By its chunk's record, which nobody has counted again yet.
    expect((await proven()).items).toEqual([]);
    await ledger.refreshChunk(batchId, 1);
    expect((await proven()).items).toMatchObject([{ row: 1, proof }]);
    expect((await reread(payout))?.proof).toEqual(proof);
  });

  it('lists the payouts that have one, in pages across chunks', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const withProof = [
      { chunk: 1, rows: [12, 13] },
      { chunk: 3, rows: [30, 31, 33] },
    ];
    for (const chunk of [1, 2, 3]) await registered(ledger, chunkOf(batchId, 4, { chunk, firstRow: chunk * 10 }));
    for (const { chunk, rows } of withProof) {
      await ledger.claimCall({ ...claimOf(batchId, rows), chunk });
      for (const row of rows) {
        const { payout } = await ledger.movePayout({ batchId, chunk, row }, observeCompleted);
        await ledger.recordProof(payout, proof);
      }
      await ledger.refreshChunk(batchId, chunk);
    }
    const query = { batchId, limit: 3, proven: true as const };
    const first = await ledger.listPayouts(query);
    const second = await ledger.listPayouts({ ...query, cursor: first.cursor ?? '' });
    expect([first, second].map(({ items }) => items.map(({ row }) => row))).toEqual([
      [12, 13, 30],
      [31, 33],
    ]);
    expect(second).not.toHaveProperty('cursor');
  });

  it('counts one failed attempt once, even for concurrent writers, and none once there is a proof', async () => {
    const payout = await moved(observeCompleted);
    const answers = await times(5, () => ledger.countProofTry(payout));
    expect(answers.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    const once = await reread(payout);
    expect(once?.proofTries).toBe(1);
    expect(await ledger.countProofTry(once ?? payout)).toMatchObject({ kind: 'moved', payout: { proofTries: 2 } });
    await ledger.recordProof(payout, proof);
    const twice = await reread(payout);
    expect(await ledger.countProofTry(twice ?? payout)).toMatchObject({ kind: 'refused', payout: { proofTries: 2 } });
  });

  it('is for completed payouts only', async () => {
    await expect(ledger.recordProof(await moved(observePending), proof)).rejects.toThrow(InvariantBroken);
  });
});

describe('finding payouts', () => {
  it('finds nothing under an unknown reference', async () => {
    expect(await ledger.getPayoutByReference('unknown')).toBeUndefined();
  });

  it('finds which of many references are taken, and by which payout', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 98);
    const other = await processingChunk(ledger, 60);
    const wanted = [...payouts, ...other.payouts].map(({ reference }) => reference);
    const free = Array.from({ length: 60 }, (_, index) => `${batchId}-free-${index}`);
    const found = await ledger.findReferences([...wanted, ...free, ...wanted]);
    expect(found.size).toBe(158);
    expect(found.get(`${batchId}-98`)).toEqual({ batchId, chunk: 1, row: 98 });
    expect(found.get(`${other.batchId}-60`)).toEqual({ batchId: other.batchId, chunk: 1, row: 60 });
    expect(await ledger.findReferences([])).toEqual(new Map());
  });

  it('finds a reference in any letter case, and answers each request', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 1);
    const [{ reference = '' } = {}] = payouts;
    const cases = [reference.toLowerCase(), reference.toUpperCase()];
    const found = await ledger.findReferences(cases);
    expect([...found]).toEqual(cases.map((each) => [each, { batchId, chunk: 1, row: 1 }]));
    expect(await ledger.getPayouts([...found.values()])).toHaveLength(1);
    expect(await ledger.getPayoutByReference(reference.toUpperCase())).toMatchObject({ reference });
  });

  it('reads the payouts of many ids, and omits missing ones', async () => {
    const { batchId, payouts } = await processingChunk(ledger, 98);
    const other = await processingChunk(ledger, 60);
    const wanted = [...payouts, { batchId, chunk: 1, row: 99 }, ...other.payouts];
    const found = await ledger.getPayouts(wanted);
    expect(new Set(found.map(({ reference }) => reference))).toEqual(
      new Set([...payouts, ...other.payouts].map(({ reference }) => reference)),
    );
    expect(found).toHaveLength(158);
    expect(await ledger.getPayouts([])).toEqual([]);
  });

  it('lists in order of chunk and row, in pages that together contain everything once', async () => {
    const batchId = await batchIn(ledger, 'processing');
    await registered(ledger, chunkOf(batchId, 60, { chunk: 2, firstRow: 2 }));
    await registered(ledger, chunkOf(batchId, 1, { chunk: 10, firstRow: 1 }));
    await registered(ledger, chunkOf(batchId, 30, { chunk: 12, firstRow: 100 }));
    const rows: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ledger.listPayouts({
        batchId,
        limit: 13,
        ...(cursor === undefined ? {} : { cursor }),
      });
      rows.push(...page.items.map(({ chunk, row }) => `${chunk}:${row}`));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(rows).toHaveLength(91);
    expect(new Set(rows).size).toBe(91);
    expect([rows[0], rows[60], rows[61], rows[90]]).toEqual(['2:2', '10:1', '12:100', '12:129']);
  });

  it('lists one status, skipping chunks without it', async () => {
    const batchId = await batchIn(ledger, 'processing');
    for (const chunk of [1, 2, 3]) await registered(ledger, chunkOf(batchId, 4, { chunk, firstRow: chunk * 10 }));
    await ledger.movePayout({ batchId, chunk: 3, row: 31 }, payoutTransitions.reject);
    await ledger.movePayout({ batchId, chunk: 3, row: 33 }, payoutTransitions.reject);
    await ledger.refreshChunk(batchId, 3);
    const query = { batchId, limit: 1, status: 'rejected' as const };
    const first = await ledger.listPayouts(query);
    expect(first.items.map(({ row }) => row)).toEqual([31]);
    const second = await ledger.listPayouts({ ...query, cursor: first.cursor ?? '' });
    expect(second.items.map(({ row }) => row)).toEqual([33]);
    expect(second).not.toHaveProperty('cursor');
  });

  it('rejects an invalid cursor', async () => {
    await expect(ledger.listPayouts({ batchId: 'b', limit: 1, cursor: 'x' })).rejects.toThrow(InvalidCursor);
  });
});
