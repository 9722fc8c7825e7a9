import { describe, expect, it } from 'vitest';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import { idr, tally } from '../../support/money.ts';
import { registeredChunk } from '../../support/scenes/registered-chunk.ts';
import { batchIn, chunkOf, claimOf, processingChunk, registered, times } from '../example.ts';
import { dyingAfter } from '../faults.ts';
import { useLedger } from '../table.ts';

const { ledger, dependencies, time } = useLedger();

describe('registering a chunk', () => {
  it.each([1, 49, 50, 51, 98])('writes %i payouts as ready, and their record', async (count) => {
    const { batchId, payouts } = await processingChunk(ledger, count);
    expect(payouts).toHaveLength(count);
    expect(payouts[0]).toEqual({
      batchId,
      chunk: 1,
      row: 1,
      reference: `${batchId}-1`,
      rail: 'fiat',
      amount: idr('10.50'),
      destinationHash: hashDestination({ kind: 'recipientId', recipientId: 'recipient-0' }),
      destination: { account: '***nt-0' },
      status: 'ready',
      statusSince: new Date(time.now).toISOString(),
      updatedAt: new Date(time.now).toISOString(),
    });
    expect(await ledger.listChunks(batchId)).toEqual([
      {
        batchId,
        chunk: 1,
        rail: 'fiat',
        currency: 'IDR',
        tallies: { ready: tally(count, (10.5 * count).toString()) },
        proofs: 0,
        waitingSince: { ready: new Date(time.now).toISOString() },
        contradictions: { recorded: 0, payouts: 0 },
        registeredAt: new Date(time.now).toISOString(),
        version: 1,
      },
    ]);
  });

  it('returns the chunk’s current state', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const chunk = chunkOf(batchId, 3);
    expect(await ledger.registerPayouts(chunk)).toEqual(await registeredChunk(ledger, batchId, 1));
  });

  it('changes nothing when it runs again, whatever the payouts’ statuses', async () => {
    const { batchId } = await processingChunk(ledger, 3);
    await ledger.claimCall(claimOf(batchId, [2]));
    const before = await registeredChunk(ledger, batchId, 1);
    time.now += 1000;
    expect(await ledger.registerPayouts(chunkOf(batchId, 3))).toEqual(before);
    expect(await registeredChunk(ledger, batchId, 1)).toEqual(before);
  });

  it.each([1, 2, 3, 50, 51, 195, 196])('continues where an earlier run stopped after %i writes', async (writes) => {
    const batchId = await batchIn(ledger, 'processing');
    const chunk = chunkOf(batchId, 98);
    await expect(dyingAfter(dependencies, writes).registerPayouts(chunk)).rejects.toThrow('died');
    expect(await ledger.listChunks(batchId)).toEqual([]);
    expect(await registered(ledger, chunk)).toHaveLength(98);
    expect(await ledger.listChunks(batchId)).toMatchObject([{ tallies: { ready: { count: 98 } } }]);
  });

  it('shows no payout for a reference whose writer stopped, and keeps the reference from others', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const chunk = chunkOf(batchId, 1);
    const [{ reference } = { reference: '' }] = chunk.payouts;
    await expect(dyingAfter(dependencies, 1).registerPayouts(chunk)).rejects.toThrow('died');
    expect(await ledger.getPayoutByReference(reference)).toBeUndefined();
    const other = await registered(
      ledger,
      chunkOf(await batchIn(ledger, 'processing'), 1, { references: [reference] }),
    );
    expect(other).toMatchObject([{ status: 'rejected', heldBy: batchId }]);
    expect(await registered(ledger, chunk)).toMatchObject([{ status: 'ready' }]);
    expect(await ledger.getPayoutByReference(reference)).toMatchObject({ batchId, status: 'ready' });
  });

  it('is complete when ten runs register the same chunk concurrently', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const chunk = chunkOf(batchId, 98);
    await times(10, () => ledger.registerPayouts(chunk));
    const { payouts } = await registeredChunk(ledger, batchId, 1);
    expect(payouts.map(({ status }) => status)).toEqual(Array(98).fill('ready'));
    expect((await ledger.listChunks(batchId))[0]).toMatchObject({ version: 1, tallies: { ready: { count: 98 } } });
  });

  it('rejects a row whose reference another batch has, names that batch, and registers the others', async () => {
    const held = await processingChunk(ledger, 2);
    const batchId = await batchIn(ledger, 'processing');
    const references = ['a', `${held.batchId}-1`, 'c', `${held.batchId}-2`].map((text) =>
      text.length > 1 ? text : `${batchId}-${text}`,
    );
    const payouts = await registered(ledger, chunkOf(batchId, 4, { references }));
    expect(payouts.map(({ status }) => status)).toEqual(['ready', 'rejected', 'ready', 'rejected']);
    expect(payouts[1]).toMatchObject({ heldBy: held.batchId, reason: { code: 'duplicate_reference' } });
    expect((await ledger.getPayoutByReference(`${held.batchId}-1`))?.batchId).toBe(held.batchId);
    expect((await ledger.listChunks(batchId))[0]?.tallies).toMatchObject({
      ready: { count: 2, amount: idr('21') },
      rejected: { count: 2, amount: idr('21') },
    });
    await ledger.registerPayouts(chunkOf(batchId, 4, { references }));
    expect((await registeredChunk(ledger, batchId, 1)).payouts).toEqual(payouts);
  });

  it('rejects all rows when all references are taken', async () => {
    const held = await processingChunk(ledger, 60);
    const batchId = await batchIn(ledger, 'processing');
    const references = held.payouts.map(({ reference }) => reference);
    const payouts = await registered(ledger, chunkOf(batchId, 60, { references }));
    const rejected = { status: 'rejected', heldBy: held.batchId };
    expect(payouts).toMatchObject(Array.from({ length: 60 }, () => rejected));
  });

  it('rejects the later row of two with one reference, in one chunk and across chunks', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const one = `${batchId}-one`;
    const first = await registered(ledger, chunkOf(batchId, 2, { references: [one, one] }));
    expect(first.map(({ status }) => status)).toEqual(['ready', 'rejected']);
    const second = await registered(ledger, chunkOf(batchId, 1, { chunk: 2, firstRow: 3, references: [one] }));
    expect(second).toMatchObject([{ status: 'rejected', heldBy: batchId }]);
  });

  it('treats a reference in another letter case as equal, in one chunk and across batches', async () => {
    const batchId = await batchIn(ledger, 'processing');
    const one = `${batchId}-One`;
    const first = await registered(ledger, chunkOf(batchId, 2, { references: [one, one.toUpperCase()] }));
    expect(first).toMatchObject([{ status: 'ready', reference: one }, { status: 'rejected' }]);
    const other = await batchIn(ledger, 'processing');
    const second = await registered(ledger, chunkOf(other, 1, { references: [one.toLowerCase()] }));
    expect(second).toMatchObject([{ status: 'rejected', heldBy: batchId, reference: one.toLowerCase() }]);
  });

  it('gives a reference to exactly one of ten concurrent batches', async () => {
    const reference = `shared-${await batchIn(ledger, 'accepted')}`;
    const batchIds = await times(10, () => batchIn(ledger, 'processing'));
    const rows = await times(10, (index) =>
      registered(ledger, chunkOf(batchIds[index] ?? '', 2, { references: [reference, `${batchIds[index]}-own`] })),
    );
    const winners = rows.filter(([first]) => first?.status === 'ready');
    expect(winners).toHaveLength(1);
    const holder = winners[0]?.[0]?.batchId;
    for (const [first, second] of rows) {
      expect(second?.status).toBe('ready');
      if (first?.status !== 'ready') expect(first).toMatchObject({ status: 'rejected', heldBy: holder });
    }
  });

  it.each([
    ['amount', { amount: '11' }],
    ['reference', { reference: 'another' }],
    ['destination', { recipient: { kind: 'recipientId', recipientId: 'another' } }],
  ] as const)('stops when a payout’s %s in the plan differs from the ledger', async (_name, changes) => {
    const batchId = await batchIn(ledger, 'processing');
    const chunk = chunkOf(batchId, 51);
    // All references and payouts exist. Only the record is missing.
    await expect(dyingAfter(dependencies, 102).registerPayouts(chunk)).rejects.toThrow('died');
    const payouts = chunk.payouts.map((payout) => (payout.row === 1 ? { ...payout, ...changes } : payout));
    await expect(ledger.registerPayouts({ ...chunk, payouts })).rejects.toThrow('payout_differs_from_plan');
  });
});
