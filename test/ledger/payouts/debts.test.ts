import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keys } from '../../../functions/ledger/table/keys.ts';
import type { BatchDebts } from '../../../functions/ports/ledger/debt-ledger.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { times } from '../example.ts';
import { useLedger } from '../table.ts';

const { ledger, dependencies, time } = useLedger();
const dayMs = 86_400_000;
const keptUntil = '2030-01-01T00:00:00.000Z';
let buckets = 0;

/** A new bucket for each test. */
const newBucket = () => {
  buckets += 1;
  return { bits: 10, bucket: buckets };
};
const read = async (of: ReturnType<typeof newBucket>, days = 7): Promise<readonly BatchDebts[]> =>
  (await Array.fromAsync(ledger.readDebts(of, days))).toSorted((a, b) => a.debts.length - b.debts.length);

describe('the debts of batches', () => {
  it('are kept until the given time', async () => {
    const of = newBucket();
    const { batchId } = newBatch();
    await ledger.recordDebts(
      batchId,
      'run',
      [{ ...of, debts: Uint32Array.of(1, 2, 3) }],
      '2027-03-05T06:00:00.900+07:00',
    );
    const { pk, sk } = keys.debts(of, batchId, 'run', 0);
    const { Item } = await dependencies.client.send(new GetCommand({ TableName: dependencies.table, Key: { pk, sk } }));
    expect(Item?.['expiresAt']).toBe(Date.parse('2027-03-04T23:00:00Z') / 1000);
  });

  it('are read by bucket, separately for each batch', async () => {
    const [here, there] = [newBucket(), newBucket()];
    const [a, b] = [newBatch().batchId, newBatch().batchId];
    const debts = Uint32Array.of(1, 0xffff_ffff, 3);
    const more = Uint32Array.of(4, 5, 6, 7, 8, 9);
    await ledger.recordDebts(
      a,
      'run',
      [
        { ...here, debts },
        { ...there, debts: more },
      ],
      keptUntil,
    );
    await ledger.recordDebts(b, 'run', [{ ...here, debts: more }], keptUntil);
    expect(await read(here)).toMatchObject([
      { batchId: a, debts },
      { batchId: b, debts: more },
    ]);
    expect(await read(there)).toMatchObject([{ batchId: a, debts: more }]);
    expect(await read(newBucket())).toEqual([]);
  });

  it('are the same when a run writes them twice, and separate from those of another run', async () => {
    const here = newBucket();
    const { batchId } = newBatch();
    const debts = Uint32Array.of(1, 2, 3);
    await times(3, () => ledger.recordDebts(batchId, 'one', [{ ...here, debts }], keptUntil));
    expect(await read(here)).toMatchObject([{ batchId, debts }]);
    await ledger.recordDebts(batchId, 'other', [{ ...here, debts }], keptUntil);
    expect(await read(here)).toHaveLength(2);
  });

  it('are kept in several items when one is too small', async () => {
    const here = newBucket();
    const { batchId } = newBatch();
    const debts = Uint32Array.from({ length: 3 * 70_000 }, (_, index) => index * 20_000);
    await ledger.recordDebts(batchId, 'run', [{ ...here, debts }], keptUntil);
    const found = await Array.fromAsync(ledger.readDebts(here, 7));
    expect(found).toHaveLength(3);
    expect(found.flatMap((part) => [...part.debts])).toEqual([...debts]);
  });

  it.each([
    [7, 7 * dayMs, true],
    [6, 7 * dayMs, false],
    [7, 7 * dayMs + 1, false],
  ])('show whether they are from the last %i days, %i ms after they were written', async (days, afterMs, isRecent) => {
    const here = newBucket();
    await ledger.recordDebts(newBatch().batchId, 'run', [{ ...here, debts: Uint32Array.of(1, 2, 3) }], keptUntil);
    time.now += afterMs;
    const [{ plannedAt, since } = { plannedAt: '', since: '' }] = await read(here, days);
    expect(plannedAt >= since).toBe(isRecent);
  });

  it('are noted at no batch when none shares them', async () => {
    const batch = newBatch();
    await ledger.createBatch(batch);
    await ledger.noteSharedDebts(batch.batchId, []);
    expect(await ledger.getBatch(batch.batchId)).not.toHaveProperty('sharesDebtsWith');
  });

  it('are found by at least one of two batches that concurrently write and then read', async () => {
    const here = newBucket();
    const both = [newBatch().batchId, newBatch().batchId];
    const seen = await times(2, async (index) => {
      await ledger.recordDebts(both[index] ?? '', 'run', [{ ...here, debts: Uint32Array.of(1, 2, 3) }], keptUntil);
      return (await read(here)).length;
    });
    expect(Math.max(...seen)).toBe(2);
  });
});
