import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import { batchId, column, createReportScene } from './report-scene.ts';

describe('interim reports', () => {
  it('are marked, count the open rows, and do not change the batch', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(2, 'on_hold');
    await scene.end(5, 'pending');
    await scene.end(6, 'quarantined');
    await scene.end(7, 'failed');
    const before = await scene.batch();
    expect(await scene.run(batchId, true)).toEqual({
      batchId,
      next: 'follow',
      round: 0,
      manifestKey: '',
      sweeps: 7,
    });
    const { report, ...rest } = (await scene.batch()) ?? {};
    expect(rest).toEqual(before);
    expect(report?.interim).toEqual({ openRows: 3 });
    expect(column(scene.written.get('results.csv'), 0)).toHaveLength(7);
    expect(column(scene.written.get('retry.csv'), 0)).toEqual(['ref-7.r1']);
    expect(JSON.parse(scene.written.get('evidence.json') ?? '')).toMatchObject({ interim: true, openRows: 3 });
  });

  it.each(['ready', 'submitting', 'unknown'] as const)('offer no retry of a row that is %s', async (status) => {
    const scene = await createReportScene();
    await scene.endAll('failed');
    await scene.end(2, status);
    await scene.run(batchId, true);
    expect((await scene.batch())?.report?.interim).toEqual({ openRows: 1 });
    expect(scene.written.get('results.csv')?.split('\n')[2]).toContain(`,${status},`);
    expect(column(scene.written.get('retry.csv'), 0)).toEqual([1, 3, 4, 5, 6, 7].map((row) => `ref-${row}.r1`));
  });

  it('count unregistered rows', async () => {
    const scene = await createReportScene([1, 2]);
    for (const row of [1, 2, 3, 4, 6]) await scene.end(row, 'completed');
    await scene.run(batchId, true);
    expect((await scene.batch())?.report?.interim).toEqual({ openRows: 2 });
  });

  it('are replaced by final ones at the end', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(2, 'pending');
    await scene.run(batchId, true);
    const interim = (await scene.batch())?.report;
    await scene.end(2, 'completed');
    expect(await scene.run()).toMatchObject({ next: 'ended' });
    const { report } = (await scene.batch()) ?? {};
    expect(report).not.toHaveProperty('interim');
    expect(report?.resultsKey).not.toBe(interim?.resultsKey);
    expect(JSON.parse(scene.stored.get(report?.evidenceKey ?? '') ?? '')).not.toHaveProperty('interim');
  });

  it('are dropped for a batch that has ended meanwhile', async () => {
    const scene = await createReportScene();
    await scene.endAll('completed');
    await scene.end(2, 'pending');
    scene.delayStoring(async () => {
      scene.delayStoring(async () => undefined);
      await scene.ledger.moveBatch(batchId, batchTransitions.cancel, 'system');
    });
    await scene.run(batchId, true);
    expect((await scene.batch())?.report).toBeUndefined();
  });
});
