import { describe, expect, it } from 'vitest';
import type { BatchDebts } from '../../functions/ports/debt-ledger.ts';
import { newBatch, times } from './example.ts';
import { useLedger } from './table.ts';

const { ledger, time } = useLedger();
const dayMs = 86_400_000;
let buckets = 0;

/** A bucket of its own for each test. */
const newBucket = () => {
  buckets += 1;
  return { bits: 10, bucket: buckets };
};
const read = async (of: ReturnType<typeof newBucket>, days = 7): Promise<readonly BatchDebts[]> =>
  (await Array.fromAsync(ledger.readDebts(of, days))).toSorted((a, b) => a.debts.length - b.debts.length);

describe('the debts of batches', () => {
  it('are read back by their bucket, each batch’s for itself', async () => {
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
      7,
    );
    await ledger.recordDebts(b, 'run', [{ ...here, debts: more }], 7);
    expect(await read(here)).toEqual([
      { batchId: a, debts },
      { batchId: b, debts: more },
    ]);
    expect(await read(there)).toEqual([{ batchId: a, debts: more }]);
    expect(await read(newBucket())).toEqual([]);
  });

  it('are the same when a run writes them twice, and stand beside those of another run', async () => {
    const here = newBucket();
    const { batchId } = newBatch();
    const debts = Uint32Array.of(1, 2, 3);
    await times(3, () => ledger.recordDebts(batchId, 'one', [{ ...here, debts }], 7));
    expect(await read(here)).toEqual([{ batchId, debts }]);
    await ledger.recordDebts(batchId, 'other', [{ ...here, debts }], 7);
    expect(await read(here)).toHaveLength(2);
  });

  it('are kept in several items where they are too many for one', async () => {
    const here = newBucket();
    const { batchId } = newBatch();
    const debts = Uint32Array.from({ length: 3 * 70_000 }, (_, index) => index * 20_000);
    await ledger.recordDebts(batchId, 'run', [{ ...here, debts }], 7);
    const found = await Array.fromAsync(ledger.readDebts(here, 7));
    expect(found).toHaveLength(3);
    expect(found.flatMap((part) => [...part.debts])).toEqual([...debts]);
  });

  it('are forgotten after the days of the window, also before the table has removed them', async () => {
    const here = newBucket();
    await ledger.recordDebts(newBatch().batchId, 'run', [{ ...here, debts: Uint32Array.of(1, 2, 3) }], 7);
    time.now += 7 * dayMs;
    expect(await read(here)).toHaveLength(1);
    expect(await read(here, 6)).toEqual([]);
    time.now += 1;
    expect(await read(here)).toEqual([]);
  });

  it('are found by one of two batches at least that write and then read at once', async () => {
    const here = newBucket();
    const both = [newBatch().batchId, newBatch().batchId];
    const seen = await times(2, async (index) => {
      await ledger.recordDebts(both[index] ?? '', 'run', [{ ...here, debts: Uint32Array.of(1, 2, 3) }], 7);
      return (await read(here)).length;
    });
    expect(Math.max(...seen)).toBe(2);
  });
});
