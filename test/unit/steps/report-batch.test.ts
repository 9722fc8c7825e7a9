import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch-lifecycle.ts';
import type { ChunkFile } from '../../../functions/domain/chunk.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { reportKey } from '../../../functions/files/keys.ts';
import type { Files, ReportName } from '../../../functions/ports/files.ts';
import { reportBatch } from '../../../functions/steps/report-batch.ts';
import { exampleBatch, examplePlan } from '../../support/example-batch.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';

const batchId = 'b-1';
const clock = () => Date.parse('2026-11-21T08:00:00Z');
const settings = orchestratorSettings.parse({});
const rowsOf = [
  { currency: 'IDR', rows: [1, 4] },
  { currency: 'PHP', rows: [2, 3, 6] },
  { currency: 'IDR', rows: [5, 7] },
] as const;

const chunkFile = (chunk: number): ChunkFile => {
  const { currency, rows } = rowsOf[chunk - 1] ?? { currency: 'IDR', rows: [] };
  return {
    batchId,
    chunk,
    rail: 'fiat',
    currency,
    payouts: rows.map((row) => ({
      row,
      reference: `ref-${row}`,
      amount: '10.5',
      recipient: { kind: 'recipientId', recipientId: 'rcp_1' },
      note: '=cmd()',
    })),
  };
};

const createScene = async (registered: readonly number[] = [1, 2, 3]) => {
  const ledger = createMemoryLedger(clock);
  const plan = (currency: string, count: number, amount: string) =>
    ({ rail: 'fiat', currency, count, amount, fee: '0', largestAmount: '10.5', methods: [] }) as const;
  const batch = exampleBatch(batchId, {
    plan: examplePlan(batchId, 3, [plan('IDR', 4, '42'), plan('PHP', 3, '31.5')]),
  });
  ledger.batches.set(batchId, batch);
  for (const chunk of registered) {
    await ledger.registerPayouts(chunkFile(chunk), new Map());
    await ledger.refreshChunk(batchId, chunk);
  }
  const written = new Map<ReportName, string>();
  const stored = new Map<string, string>();
  let runs = 0;
  const ids = { sortable: () => `RUN-${++runs}` };
  let beforeStored = async (): Promise<void> => undefined;
  const files: Pick<Files, 'getChunk' | 'putReport'> = {
    getChunk: async (_prefix, chunk) => chunkFile(chunk),
    putReport: async (id, runId, name, content) => {
      const whole = await text(content);
      await beforeStored();
      const key = reportKey(id, runId, name);
      written.set(name, whole);
      stored.set(key, whole);
      return key;
    },
  };
  const end = async (row: number, to: 'completed' | 'failed' | 'canceled' | 'pending' | 'quarantined') => {
    const payout = [...ledger.payouts.values()].find((found) => found.row === row);
    if (payout === undefined) throw new Error(`no row ${row}`);
    ledger.payouts.set(`${batchId}/${payout.chunk}/${row}`, { ...payout, status: to });
    await ledger.refreshChunk(batchId, payout.chunk);
  };
  const log = { info: () => undefined, warn: () => undefined, alarm: () => undefined };
  return {
    ledger,
    written,
    end,
    endAll: async (to: 'completed' | 'failed') => {
      for (const row of [1, 2, 3, 4, 5, 6, 7]) await end(row, to);
    },
    /** Money is set aside before a batch is processing. */
    whileFunded: async (reserve: () => Promise<void>) => {
      ledger.batches.set(batchId, { ...batch, status: 'validating' });
      await reserve();
      ledger.batches.set(batchId, batch);
    },
    run: (execution = batchId) => reportBatch({ ledger, files, settings, clock, ids, log }, { batchId, execution }),
    batch: () => ledger.batches.get(batchId),
    /** What the bucket has at a key. */
    stored,
    /** What is to happen before the bucket has what a run of ReportBatch wrote. */
    delayStoring: (wait: () => Promise<void>) => {
      beforeStored = wait;
    },
  };
};

const column = (csv: string | undefined, index: number): string[] =>
  (csv ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[index] ?? '');

describe('ReportBatch', () => {
  it('reports every row in the order of the file, whatever chunks they were in', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect(column(scene.written.get('results.csv'), 0)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(scene.written.has('retry.csv')).toBe(false);
    expect(scene.batch()).toMatchObject({ status: 'completed', executionEnded: true });
  });

  it('writes the failed rows ready to upload again, under new references and without a formula', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(3, 'failed');
    await scene.end(5, 'failed');
    await scene.run();
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-3.r1', 'ref-5.r1']);
    expect(scene.written.get('retry.csv')).toContain("'=cmd()");
    expect(scene.batch()?.status).toBe('partially_completed');
  });

  it.each([
    ['what its plan names', 'IDR'],
    ['a token that only another run of PlanFunding meant to convert', 'usdt-tron'],
  ])('gives back %s', async (_, currency) => {
    const scene = await createScene();
    const funds = await scene.ledger.readFunds([currency]);
    await scene.whileFunded(async () => {
      expect(await scene.ledger.reserve(batchId, funds, new Map([[currency, '42']]))).toBe(true);
    });
    await scene.endAll('failed');
    await scene.run();
    expect((await scene.ledger.readFunds([currency]))[0]?.reservations).toEqual([]);
    expect(scene.batch()?.status).toBe('failed');
  });

  it('counts a quarantined payout as not completed and names it in the results', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(6, 'quarantined');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect(scene.batch()?.status).toBe('partially_completed');
    expect(scene.written.get('results.csv')).toContain('quarantined');
  });

  it('pauses a batch whose chunks stopped before their payouts ended', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(2, 'pending');
    expect(await scene.run()).toMatchObject({ next: 'attention' });
    expect(scene.batch()).toMatchObject({
      status: 'paused',
      reason: { code: 'chunks_unfinished' },
      executionEnded: true,
    });
    expect(scene.written.size).toBe(0);
  });

  it('pauses a batch with a chunk that was never registered', async () => {
    const scene = await createScene([1, 2]);
    for (const row of [1, 2, 3, 4, 6]) await scene.end(row, 'completed');
    expect(await scene.run()).toMatchObject({ next: 'attention' });
    expect(scene.batch()?.reason?.message).toContain('2 payouts');
  });

  it('refuses to report sums that are not those of the file', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    const [payout] = scene.ledger.payouts.values();
    if (payout === undefined) throw new Error('no payout');
    scene.ledger.payouts.set(`${batchId}/1/${payout.row}`, { ...payout, amount: '999' });
    await scene.ledger.refreshChunk(batchId, 1);
    await expect(scene.run()).rejects.toThrow('do not add up');
  });

  it('keeps a canceled batch canceled, and reports what became of its open payouts since', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(2, 'canceled');
    await scene.end(6, 'quarantined');
    await scene.ledger.requestCancel(batchId, 'operator');
    await scene.run();
    expect(scene.batch()).toMatchObject({ status: 'canceled' });
    const before = scene.batch()?.report?.chunkVersions;
    await scene.end(6, 'failed');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect(scene.batch()).toMatchObject({ status: 'canceled', executionEnded: true });
    expect(scene.batch()?.report?.chunkVersions).toBeGreaterThan(before ?? 0);
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-6.r1']);
  });

  it('reports anew a batch that a cancelation came too late for, when the provider then canceled what it held', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(6, 'quarantined');
    await scene.ledger.requestCancel(batchId, 'operator');
    await scene.run();
    expect(scene.batch()).toMatchObject({ status: 'partially_completed' });
    const before = scene.batch()?.report?.chunkVersions;
    await scene.end(6, 'canceled');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect(scene.batch()).toMatchObject({ status: 'partially_completed', executionEnded: true });
    expect(scene.batch()?.report?.chunkVersions).toBeGreaterThan(before ?? 0);
  });

  it('does not lose the end of its execution to somebody who resumes the batch at that moment', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(2, 'pending');
    await scene.ledger.moveBatch(batchId, batchTransitions.pause, 'operator', { resumeTo: 'processing' });
    const { amendBatch } = scene.ledger;
    scene.ledger.amendBatch = async (...told) => {
      await scene.ledger.moveBatch(batchId, batchTransitions.resumeProcessing, 'operator', { resumeTo: null });
      return amendBatch(...told);
    };
    expect(await scene.run()).toMatchObject({ next: 'attention' });
    expect(scene.batch()).toMatchObject({ status: 'paused', executionEnded: true, resumeTo: 'processing' });
  });

  it('leaves the report of a later run as it is, when one that was given up ends after it', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.end(3, 'failed');
    await scene.end(5, 'failed');
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    scene.delayStoring(() => held);
    // Its execution was stopped in the console; the function knows nothing of that.
    const givenUp = scene.run();
    await new Promise((resolve) => setImmediate(resolve));
    const payout = await scene.ledger.getPayoutByReference('ref-3');
    if (payout === undefined) throw new Error('no payout');
    const batch = scene.batch();
    if (batch === undefined) throw new Error('no batch');
    scene.ledger.batches.set(batchId, { ...batch, executions: 2 });
    await scene.ledger.recordContradiction(payout, {
      code: 'changed_after_end',
      disbursementId: 'd-3',
      observed: 'completed',
    });
    await scene.ledger.refreshChunk(batchId, payout.chunk);
    scene.delayStoring(async () => undefined);
    await scene.run(`${batchId}-2`);
    goOn();
    await givenUp;
    const { retryKey = '' } = scene.batch()?.report ?? {};
    expect(column(scene.stored.get(retryKey), 0)).toEqual(['ref-5.r1']);
  });

  it('may run twice', async () => {
    const scene = await createScene();
    await scene.endAll('completed');
    await scene.run();
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    expect(scene.batch()?.status).toBe('completed');
  });
});
