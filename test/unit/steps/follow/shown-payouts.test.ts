import { describe, expect, it } from 'vitest';
import { getExistingBatch } from '../../../../functions/steps/as-step.ts';
import { createShownPayouts } from '../../../../functions/steps/follow/shown-payouts.ts';
import { beginSweep } from '../../../../functions/steps/follow/sweep.ts';
import { createExecution } from '../../../support/execution.ts';
import { drawsAll } from '../../../support/fast-loop.ts';
import type { SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { batchId, createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { sweepStart } from './follow-scene.ts';

/** A sweep over a submitted batch, with its reads of the ledger for a page. */
const shown = async (options: SceneOptions = {}, arrange?: { readonly row: number; readonly status: 'submitting' }) => {
  const scene = await createBatchScene({ chunks: 3, rows: 10, ...options });
  await createExecution(scene).submitAll();
  if (arrange !== undefined) await scene.arrange(arrange.row, { status: arrange.status, disbursementId: null });
  const { ledger, provider } = scene.dependencies;
  const records = await ledger.listChunks(batchId);
  const batch = await getExistingBatch(ledger, batchId);
  const sweep = beginSweep(scene.clock(), sweepStart({ batch }), records, { remainingMs: () => 900_000 });
  const read = { references: 0, payouts: 0, chunks: [] as number[] };
  const counting: typeof ledger = {
    ...ledger,
    findReferences: (references, old) => {
      read.references += references.length;
      return ledger.findReferences(references, old);
    },
    getPayouts: (ids, of) => {
      read.payouts += ids.length;
      return ledger.getPayouts(ids, of);
    },
    getPayoutsOf: (id, chunk) => {
      read.chunks.push(chunk);
      return ledger.getPayoutsOf(id, chunk);
    },
  };
  const payouts = createShownPayouts({ ledger: counting, provider, sweep }, 'fiat');
  const find = async (...rows: readonly number[]) =>
    (await payouts.find(rows.map((row) => `ref-${row}`))).map(({ row }) => row).toSorted((a, b) => a - b);
  return { scene, payouts, find, read };
};

const rows = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('payouts on a page', () => {
  it.each([
    { what: 'a few are found singly', page: rows(1, 5), references: 5, payouts: 5, chunks: [] },
    { what: 'many of one chunk by that chunk', page: rows(1, 8), references: 8, payouts: 0, chunks: [1] },
    {
      what: 'as many as all chunks cost by all chunks',
      page: rows(1, 18),
      references: 0,
      payouts: 0,
      chunks: [1, 2, 3],
    },
    { what: 'those of others are not found', page: rows(31, 36), references: 6, payouts: 0, chunks: [] },
  ])('$what', async ({ page, references, payouts, chunks }) => {
    const { find, read } = await shown();
    expect(await find(...page)).toEqual(page.filter((row) => row <= 30));
    expect(read).toEqual({ references, payouts, chunks });
  });

  it('of a fully read chunk cost nothing on later pages', async () => {
    const { find, read } = await shown();
    await find(...rows(1, 8));
    expect(await find(...rows(5, 10))).toEqual(rows(5, 10));
    expect(read).toEqual({ references: 8, payouts: 0, chunks: [1] });
  });

  it('that were in doubt when their chunk was read are read again, because their call may be recorded by now', async () => {
    const { find, read, scene } = await shown({}, { row: 2, status: 'submitting' });
    await find(...rows(1, 8));
    await scene.arrange(2, { status: 'pending', disbursementId: 'd-ref-2' });
    expect(await find(2, 3)).toEqual([2, 3]);
    expect(read).toEqual({ references: 9, payouts: 2, chunks: [1] });
  });

  it('keep the sweep’s last state', async () => {
    const { find, payouts } = await shown();
    await find(...rows(1, 8));
    const [one] = await payouts.find(['ref-1']);
    if (one === undefined) throw new Error('not found');
    payouts.keep({ ...one, status: 'completed' });
    expect(await payouts.find(['ref-1'])).toMatchObject([{ status: 'completed' }]);
  });

  it.runIf(drawsAll)('are found one by one when whole chunks would take too much memory', async () => {
    const { find, read } = await shown({ chunks: 600, rows: 1 });
    expect(await find(...rows(1, 600))).toEqual(rows(1, 600));
    expect(read).toEqual({ references: 600, payouts: 600, chunks: [] });
  });
});
