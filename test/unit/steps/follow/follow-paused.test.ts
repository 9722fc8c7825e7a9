import { describe, expect, it } from 'vitest';
import type { PayoutStatus } from '../../../../functions/domain/payout/payout-status.ts';
import type { SubmitAnswer } from '../../../../functions/ports/provider.ts';
import type { BatchScene, SceneOptions } from '../../../support/scenes/batch-scene.ts';
import { batchId } from '../../../support/scenes/batch-scene.ts';
import { begun, completes } from './follow-scene.ts';

describe('a batch that is paused', () => {
  const paused = async (settings: SceneOptions['settings'] = {}) => {
    const { scene, run } = await begun({ chunks: 2, rows: 2, settings });
    scene.answers.push(async (references) => {
      await scene.pause();
      return scene.accept(references);
    });
    await run.submitAll();
    // The second chunk is not even registered.
    expect(scene.statuses()).toEqual(['pending', 'pending']);
    return { scene, run };
  };

  it('follows claimed payouts, and submits nothing', async () => {
    const { scene, run } = await paused();
    await run.goOn(await run.sweep());
    completes(scene);
    await run.forSeconds(600);
    expect(scene.statuses()).toEqual(['completed', 'completed']);
    expect(scene.posted).toHaveLength(1);
    expect(run.outputs.map(({ next }) => next)).not.toContain('submit');
    expect((await scene.batch()).report?.interim).toEqual({ openRows: 2 });
  });

  it('is checked every pausedRecheckSeconds, or as often as others while payouts are at the provider', async () => {
    const { scene, run } = await paused({ pausedRecheckSeconds: 90 });
    expect(await run.sweep()).toMatchObject({ next: 'wait', waitSeconds: 5 });
    completes(scene);
    scene.passSeconds(5);
    expect(await run.sweep()).toMatchObject({ waitSeconds: 90 });
  });

  it('submits the rest when it is resumed', async () => {
    const { scene, run } = await paused();
    await run.forSeconds(600);
    await scene.resume();
    const output = await run.until('submit');
    expect(scene.manifests.get(output.manifestKey)).toEqual([2]);
    await run.goOn(output);
    completes(scene);
    await run.goOn(await run.until('report'));
    expect(await scene.batch()).toMatchObject({ status: 'completed' });
    expect(scene.posted).toHaveLength(2);
  });

  it.each(['paused', 'running'])(
    'cancels unclaimed payouts when it is canceled (%s), and follows the rest to its end',
    async (how) => {
      const { scene, run } = await paused();
      if (how === 'running') await scene.resume();
      await scene.ledger.requestCancel(batchId, 'arn:person');
      await run.goOn(await run.until('submit'));
      expect(scene.statuses()).toEqual(['pending', 'pending', 'canceled', 'canceled']);
      completes(scene);
      await run.goOn(await run.until('report'));
      expect(scene.statuses()).toEqual(['completed', 'completed', 'canceled', 'canceled']);
      expect((await scene.batch()).status).toBe('canceled');
      expect(scene.posted).toHaveLength(1);
    },
  );

  it('also cancels unregistered chunks when it is canceled', async () => {
    const { scene, run } = await begun();
    await scene.ledger.requestCancel(batchId, 'arn:person');
    await run.submit([1]);
    await run.endRound();
    await run.goOn(await run.until('report'));
    expect(scene.statuses()).toEqual(Array(12).fill('canceled'));
    expect((await scene.batch()).status).toBe('canceled');
  });
});

describe('interim reports', () => {
  it('are due once when nothing changed since the last sweep, and again after a change', async () => {
    const { scene, run } = await begun({ chunks: 2 });
    await run.submitAll();
    completes(scene, 'ref-1', 'ref-5');
    expect(await run.sweep()).toMatchObject({ next: 'wait' });
    scene.passSeconds(5);
    const second = await run.sweep();
    expect(second.next).toBe('report_interim');
    await run.goOn(second);
    await run.forSeconds(1200);
    expect(run.outputs.filter(({ next }) => next === 'report_interim')).toHaveLength(1);
    completes(scene, 'ref-5');
    await run.forSeconds(1200);
    expect(run.outputs.filter(({ next }) => next === 'report_interim')).toHaveLength(2);
    expect((await scene.batch()).report?.interim).toEqual({ openRows: 1 });
  });

  it('are due again after a contradiction in a chunk that has ended, and after it was noted', async () => {
    const { scene, run } = await begun({ chunks: 2 });
    await run.submitAll();
    completes(scene, 'ref-5');
    const interims = async () => {
      await run.forSeconds(3600);
      return run.outputs.filter(({ next }) => next === 'report_interim').length;
    };
    const ended = async () => {
      const payout = await scene.ledger.getPayoutByReference('ref-1');
      if (payout?.status !== 'completed') throw new Error('ref-1 has not ended');
      return payout;
    };
    expect(await interims()).toBe(1);
    const found = { code: 'changed_after_end', disbursementId: 'd-1', observed: 'failed' } as const;
    await scene.ledger.recordContradiction(await ended(), found);
    await scene.ledger.refreshChunk(batchId, 1);
    expect(await interims()).toBe(2);
    await scene.ledger.noteContradictions(await ended(), { code: 'payout.settled', by: 'x' });
    await scene.ledger.refreshChunk(batchId, 1);
    expect(await interims()).toBe(3);
    expect(await interims()).toBe(3);
  });

  it.each<[string, SceneOptions, (scene: BatchScene) => void | Promise<void>]>([
    ['no payout has ended', {}, () => undefined],
    [
      'something is in doubt',
      {},
      async (scene) => {
        completes(scene, 'ref-1');
        await scene.arrange(2, { status: 'unknown', disbursementId: null });
        scene.listed.ways.fails = (what) => what === 'look_up';
      },
    ],
  ])('are not due while %s', async (_name, options, prepare) => {
    const { scene, run } = await begun({ chunks: 2, ...options });
    await run.submitAll();
    await prepare(scene);
    await run.forSeconds(600);
    expect(run.outputs.map(({ next }) => next)).not.toContain('report_interim');
  });

  it.each<[string, PayoutStatus, (scene: BatchScene) => Promise<void>]>([
    [
      'the provider never answers about one in doubt',
      'unknown',
      async (scene) => {
        await scene.arrange(2, { status: 'unknown', disbursementId: null });
        scene.listed.ways.fails = (what, about) => what === 'look_up' && about === 'ref-2';
      },
    ],
    [
      'one goes out again and again',
      'ready',
      async (scene) => {
        await scene.arrange(2, { status: 'ready', disbursementId: null, call: null });
        scene.listed.kept.splice(1, 1);
        scene.answers.push(
          ...Array.from({ length: 5000 }, () => (): SubmitAnswer => ({ kind: 'not_sent', cause: 'x' })),
        );
      },
    ],
  ])('are due once payouts are late, and stay rare: %s', async (_name, status, prepare) => {
    const { scene, run } = await begun({ chunks: 2 });
    await run.submitAll();
    await prepare(scene);
    completes(scene, 'ref-1', 'ref-2');
    scene.listed.settle('failed', 'ref-1');
    await run.forSeconds(3590);
    expect(scene.reports.size).toBe(0);
    await run.forSeconds(3 * 86_400);
    const { report } = await scene.batch();
    expect(scene.statuses()).toEqual(['failed', status, ...Array(6).fill('completed')]);
    expect(report?.interim).toEqual({ openRows: 1 });
    const linesOf = (key = '') => scene.reports.get(key)?.trim().split('\n').slice(1);
    expect(linesOf(report?.resultsKey)?.[1]).toContain(`,${status},`);
    expect(linesOf(report?.retryKey)).toEqual([expect.stringContaining('ref-1.r1')]);
    // Each waits a tenth of the time so far, so 41 fit between one hour and 73.
    const written = run.outputs.filter(({ next }) => next === 'report_interim').length;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThanOrEqual(41);
  });

  it('are due although a proof is still missing', async () => {
    const { scene, run } = await begun({ chunks: 2 });
    await run.submitAll();
    completes(scene, 'ref-1', 'ref-5');
    scene.listed.ways.fails = (what) => what === 'proof';
    await run.forSeconds(600);
    expect((await scene.batch()).report?.interim).toEqual({ openRows: 2 });
  });
});
