import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../../functions/domain/batch/batch-status.ts';
import type { ChunkFile } from '../../../../functions/domain/batch/chunk-file.ts';
import type { Payout, Rail } from '../../../../functions/domain/payout/payout.ts';
import type { ObservedStatus } from '../../../../functions/domain/payout/payout-status.ts';
import type { SubmitAnswer } from '../../../../functions/ports/provider.ts';
import { planOf } from '../../../../functions/steps/as-step.ts';
import { submitChunk } from '../../../../functions/steps/submit-chunk.ts';
import { usdt } from '../../../support/money.ts';
import type { BatchScene } from '../../../support/scenes/batch-scene.ts';
import { createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { newBatch } from '../../../support/scenes/new-batch.ts';

/** Two rows. The first one retries INV-7 of an earlier batch, which has this state. */
const createScene = async (original: Partial<Payout>, rail: Rail = 'fiat') => {
  const scene = await createBatchScene({ rail, rows: 2 });
  const [own] = scene.files;
  if (own === undefined) throw new Error('no chunk');
  const renamed = (file: ChunkFile, row: number, reference: string): ChunkFile => ({
    ...file,
    payouts: file.payouts.map((payout) => (payout.row === row ? { ...payout, reference } : payout)),
  });
  const { ledger } = scene;
  const before = newBatch({ batchId: 'b-0', idempotencyKey: 'before' });
  await ledger.createBatch({ ...before, file: { ...before.file, versionId: 'before' } });
  const file = renamed({ ...own, batchId: 'b-0', payouts: own.payouts.slice(0, 1) }, 1, 'INV-7');
  const { payouts } = await ledger.registerPayouts(file);
  const [registered] = payouts;
  if (registered === undefined) throw new Error('no payout');
  ledger.putPayout({ ...registered, ...original });
  await ledger.refreshChunk('b-0', 1);
  scene.files[0] = renamed(own, 1, 'INV-7.r1');
  return scene;
};

const run = (scene: BatchScene) => submitChunk(scene.dependencies, scene.inputOf(), scene.invocation);
const ownStatuses = (scene: BatchScene) => [1, 2].map((row) => scene.payout(row).status);
const originalIn = (scene: BatchScene) => scene.ledger.getPayoutByReference('INV-7');

const failed: Partial<Payout> = { status: 'failed', disbursementId: 'd-1' };
const refused: Partial<Payout> = { status: 'rejected', reason: { code: 'provider_rejected', message: '' } };

describe('a row of a retry file', () => {
  it('is paid when its original failed, and the provider still shows that', async () => {
    const scene = await createScene(failed);
    scene.listed.add(scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status: 'failed' }));
    await run(scene);
    expect(scene.posted).toEqual([['ref-2'], ['INV-7.r1']]);
    expect(scene.listed.asked.lookUps).toEqual(['d-1', 'INV-7']);
    expect(ownStatuses(scene)).toEqual(['pending', 'pending']);
  });

  it('is paid when its original was refused, and the provider does not know it', async () => {
    const scene = await createScene(refused);
    await run(scene);
    expect(scene.posted).toEqual([['ref-2'], ['INV-7.r1']]);
    expect(scene.listed.asked.lookUps).toEqual(['INV-7']);
  });

  it.each<[string, Partial<Payout>]>([
    ['is completed', { status: 'completed', disbursementId: 'd-1' }],
    ['is under way', { status: 'pending', disbursementId: 'd-1' }],
    ['was not submitted yet', { status: 'ready' }],
    ['was canceled', { status: 'canceled' }],
  ])('is rejected when its original %s, and the others are paid', async (_name, original) => {
    const scene = await createScene(original);
    await run(scene);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
    expect(scene.payout(2).status).toBe('pending');
    expect(await scene.batch()).toMatchObject({ status: 'processing' });
  });

  it.each<[string, Partial<Payout>, object]>([
    ['failed, and is paid by now', failed, { status: 'completed' }],
    ['was refused, and was made after all', refused, { status: 'pending' }],
  ])('is rejected when its original %s, which the original then shows', async (_name, original, shown) => {
    const scene = await createScene(original);
    scene.listed.add(scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', ...shown }));
    await run(scene);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
    expect((await originalIn(scene))?.contradictions).toHaveLength(1);
    expect((await scene.ledger.listChunks('b-0'))[0]?.contradictions.payouts).toBe(1);
    await scene.publishNews();
    expect(scene.alarms).toEqual(['PayoutChangedAfterEnd']);
  });

  it.each([
    ['has ended, and its reports call the original unpaid', 'failed', 'completed', 1],
    ['has ended, and its reports are right', 'failed', 'failed', 0],
    ['is still followed', 'processing', 'completed', 0],
  ] as const)('has its original’s batch reported anew if needed: it %s', async (_name, status, observed, reports) => {
    const scene = await createScene(failed);
    const batch = await scene.ledger.getBatch('b-0');
    if (batch === undefined) throw new Error('no batch');
    scene.ledger.putBatch({ ...batch, status });
    const shown = { disbursementId: 'd-1', reference: 'INV-7', status: observed };
    scene.listed.add(scene.disbursementOf('INV-7.r1', shown));
    await run(scene);
    scene.passSeconds(2 * 3600);
    expect(await scene.ledger.listDueReconciliations()).toHaveLength(reports);
  });

  it.each<[string, Partial<Payout>]>([
    ['failed', failed],
    ['was refused', refused],
  ])(
    'is rejected when its original %s with another account, which may have paid it after all',
    async (_name, original) => {
      const scene = await createScene(original);
      const batch = await scene.ledger.getBatch('b-0');
      if (batch === undefined) throw new Error('no batch');
      scene.ledger.putBatch({ ...batch, plan: { ...planOf(await scene.batch()), account: 'former' } });
      await run(scene);
      expect(scene.posted).toEqual([['ref-2']]);
      expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
      expect(scene.payout(1).reason?.message).toContain(
        'INV-7 was planned for the account former, and listed is deployed',
      );
      expect(scene.listed.asked.lookUps).toEqual([]);
    },
  );

  it('is rejected for a record of a run that died before counting it, and is counted', async () => {
    const scene = await createScene(failed);
    const original = await originalIn(scene);
    if (original === undefined) throw new Error('no original');
    const at = '2026-11-21T07:00:00.000Z';
    const contradiction = { code: 'changed_after_end', disbursementId: 'd-1', observed: 'completed', at } as const;
    scene.ledger.putPayout({ ...original, contradictions: [contradiction] });
    await run(scene);
    expect(scene.payout(1).status).toBe('rejected');
    expect(await scene.ledger.listChunks('b-0')).toMatchObject([{ contradictions: { recorded: 1, payouts: 1 } }]);
  });

  it.each(['pending', 'on_hold'] as const)(
    'waits for a later round while its failed original is %s again, and for word of its end',
    async (status) => {
      const scene = await createScene(failed);
      const shown = scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status });
      scene.listed.add(shown);
      await run(scene);
      expect(scene.posted).toEqual([['ref-2']]);
      expect(ownStatuses(scene)).toEqual(['ready', 'pending']);
      expect(scene.lines).toContainEqual({ code: 'retry.waits', batchId: 'b-1', chunk: 1, row: 1 });
      scene.listed.settle('completed', 'INV-7');
      await run(scene);
      expect(scene.posted).toEqual([['ref-2']]);
      expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
    },
  );

  it.each<[string, object]>([
    ['both gave their money back', {}],
    ['the first one differs', { amount: usdt('999') }],
  ])(
    'is rejected when its original was settled as not paid, and another disbursement is paid by now: %s',
    async (_name, first) => {
      const settled = { status: 'rejected', reason: { code: 'settled_not_paid', message: '' } } as const;
      const scene = await createScene(settled, 'crypto');
      const knows = (disbursementId: string, status: ObservedStatus, more = {}) =>
        scene.listed.add(scene.disbursementOf('INV-7.r1', { disbursementId, reference: 'INV-7', status, ...more }));
      knows('d-1', 'failed', first);
      knows('d-2', 'completed');
      await run(scene);
      expect(scene.posted).toEqual([['ref-2']]);
      expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
      expect((await originalIn(scene))?.contradictions).toMatchObject([{ disbursementId: 'd-2' }]);
    },
  );

  it('is rejected when its original is worked on again without an end for days', async () => {
    const scene = await createScene(failed);
    scene.listed.add(
      scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status: 'pending' }),
    );
    await run(scene);
    scene.passSeconds(7 * 86_400 - 1);
    await run(scene);
    expect(scene.payout(1).status).toBe('ready');
    scene.passSeconds(2);
    await run(scene);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
    expect((await originalIn(scene))?.contradictions).toBeUndefined();
  });

  it('counts that time from when its batch could submit it: registered late, or resumed', async () => {
    const scene = await createScene(failed);
    scene.listed.add(
      scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status: 'pending' }),
    );
    scene.passSeconds(8 * 86_400);
    await run(scene);
    expect(scene.payout(1).status).toBe('ready');
    const reason = { code: 'paused', message: '' };
    await scene.ledger.moveBatch('b-1', batchTransitions.pause, 'arn:person', { resumeTo: 'processing', reason });
    scene.passSeconds(8 * 86_400);
    await scene.ledger.moveBatch('b-1', batchTransitions.resumeProcessing, 'arn:person', { resumeTo: null });
    await run(scene);
    expect(scene.payout(1).status).toBe('ready');
  });

  it('is paid after that time when its original has failed for good', async () => {
    const scene = await createScene(failed);
    const shown = scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status: 'pending' });
    scene.listed.add(shown);
    await run(scene);
    scene.passSeconds(8 * 86_400);
    scene.listed.settle('failed', 'INV-7');
    await run(scene);
    expect(scene.posted).toEqual([['ref-2'], ['INV-7.r1']]);
  });

  it('is not paid while its original is shown as paid and that cannot be recorded', async () => {
    const scene = await createScene(failed);
    scene.listed.add(
      scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status: 'completed' }),
    );
    scene.dependencies.ledger.recordContradiction = async (payout) => ({ kind: 'refused', payout });
    await run(scene);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(scene.payout(1).status).toBe('ready');
  });

  it('is rejected when an earlier retry that was never submitted was made after all', async () => {
    const neverSent = { status: 'rejected', reason: { code: 'original_not_retryable', message: '' } } as const;
    const scene = await createScene(neverSent);
    scene.listed.add(
      scene.disbursementOf('INV-7.r1', { disbursementId: 'd-1', reference: 'INV-7', status: 'completed' }),
    );
    await run(scene);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(scene.payout(1)).toMatchObject({ status: 'rejected', reason: { code: 'original_not_retryable' } });
  });

  it('waits for a later round while the provider does not answer about its original', async () => {
    const scene = await createScene(failed);
    scene.listed.ways.fails = (_what, about) => about === 'd-1';
    await run(scene);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(ownStatuses(scene)).toEqual(['ready', 'pending']);
    scene.listed.ways.fails = () => false;
    await run(scene);
    expect(scene.posted).toEqual([['ref-2'], ['INV-7.r1']]);
  });

  it('waits for a later round without a lookup when too little time is left for one', async () => {
    const scene = await createScene(failed);
    await submitChunk(scene.dependencies, scene.inputOf(), { remainingMs: () => 62_999 });
    expect(scene.listed.asked.lookUps).toEqual([]);
    expect(scene.posted).toEqual([['ref-2']]);
    expect(ownStatuses(scene)).toEqual(['ready', 'pending']);
  });

  it('is left to a person when its own call was never answered and its original is paid by now', async () => {
    const scene = await createScene(failed);
    const timeout: SubmitAnswer = { kind: 'unknown', cause: 'timeout' };
    scene.answers.push(
      () => timeout,
      () => timeout,
    );
    await run(scene);
    await scene.arrange(1, { status: 'ready', absences: 0 });
    const original = await originalIn(scene);
    if (original === undefined) throw new Error('no original');
    scene.ledger.putPayout({ ...original, status: 'completed' });
    await run(scene);
    expect(scene.posted).toEqual([['ref-2'], ['INV-7.r1']]);
    expect(scene.payout(1)).toMatchObject({ status: 'quarantined', reason: { code: 'original_not_retryable' } });
  });

  it.each([18, 60])(
    'keeps no other row waiting when the answers about its original take %i seconds',
    async (seconds) => {
      const scene = await createScene(failed);
      const { lookUp } = scene.dependencies.provider;
      scene.dependencies.provider.lookUp = async (...asked) => {
        scene.passSeconds(seconds);
        return lookUp(...asked);
      };
      const began = scene.clock();
      scene.invocation.remainingMs = () => 90_000 + began - scene.clock();
      await run(scene);
      expect(scene.posted).toEqual([['ref-2']]);
      expect(ownStatuses(scene)).toEqual(['ready', 'pending']);
    },
  );
});
