import { describe, expect, it } from 'vitest';
import { resumeBatch } from '../../../functions/api/batches/resume-batch.ts';
import { createExecution } from '../../support/execution.ts';
import type { SceneOptions } from '../../support/scenes/batch-scene.ts';
import { createBatchScene } from '../../support/scenes/batch-scene.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';

const createScene = async (options: SceneOptions) => {
  const scene = await createBatchScene(options);
  const resume = () =>
    resumeBatch(
      { ledger: scene.ledger, workflow: fakeWorkflow(), clock: scene.clock },
      { path: { batchId: scene.batchId }, caller: 'arn:person', body: {} },
    );
  return { scene, execution: createExecution(scene), resume };
};

describe('a batch with too many unpaid rows', () => {
  it('is paused by a sweep with the figures, and claims nothing more', async () => {
    const { scene, execution } = await createScene({ chunks: 2, rows: 4, pauseAbove: 10 });
    await execution.submit([1]);
    scene.listed.settle('failed', 'ref-1');
    await execution.endRound();
    await execution.forSeconds(60);
    const { status, reason } = await scene.batch();
    expect([status, reason?.code]).toEqual(['paused', 'unpaid_above']);
    expect(reason?.message).toContain('1 of 1 payout that ended was not paid: more than 10% (pauseAbove)');
    await execution.submit([2]);
    expect(scene.posted).toHaveLength(1);
  });

  it('is paused before its other payouts get their proofs', async () => {
    const { scene, execution } = await createScene({ chunks: 2, rows: 4, pauseAbove: 10 });
    await execution.submit([1]);
    scene.listed.settle('completed');
    scene.listed.settle('failed', 'ref-1');
    const { downloadProof } = scene.dependencies.provider;
    const statuses: string[] = [];
    scene.dependencies.provider.downloadProof = async (id) => {
      statuses.push((await scene.batch()).status);
      return downloadProof(id);
    };
    await execution.sweep();
    expect(statuses).toEqual(['paused', 'paused', 'paused']);
  });

  it('continues when it is resumed, and is paused again only by later unpaid rows', async () => {
    const { scene, execution, resume } = await createScene({ chunks: 3, rows: 4, pauseAbove: 0 });
    await execution.submit([1]);
    scene.listed.settle('failed', 'ref-1');
    await execution.endRound();
    await execution.forSeconds(60);
    expect((await scene.batch()).status).toBe('paused');
    await resume();
    expect(await scene.batch()).toMatchObject({ status: 'processing', acknowledgedEnds: { ended: 1, unpaid: 1 } });
    const output = await execution.until('submit');
    expect(output.next).toBe('submit');
    await execution.submit([2]);
    await execution.endRound();
    scene.listed.settle('failed', 'ref-5');
    scene.passSeconds(60);
    await execution.sweep();
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'unpaid_above' } });
  });

  it('is paused by the chunk whose rows were refused, before a sweep', async () => {
    const { scene, execution } = await createScene({
      chunks: 3,
      rows: 1,
      pauseAbove: 0,
      settings: { equalRefusals: 100 },
    });
    await execution.submit([1]);
    await scene.arrange(1, { status: 'failed' });
    await execution.submit([1]);
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'unpaid_above' } });
    await execution.submit([2, 3]);
    expect(scene.posted).toHaveLength(1);
  });

  it.each([
    ['nothing is left to submit', { chunks: 1, rows: 2, pauseAbove: 0 }],
    ['its start asked for nothing', { chunks: 2, rows: 2 }],
    ['the share is allowed', { chunks: 2, rows: 2, pauseAbove: 25 }],
  ])('is not when %s', async (_name, options) => {
    const { scene, execution } = await createScene(options);
    await execution.submit([1]);
    scene.listed.settle('failed', 'ref-1');
    await execution.endRound();
    await execution.sweep();
    expect((await scene.batch()).status).toBe('processing');
    scene.passSeconds(60);
    await execution.submit([1]);
    expect((await scene.batch()).status).toBe('processing');
  });

  it('is not paused while it is being canceled', async () => {
    const { scene, execution } = await createScene({ chunks: 2, rows: 4, pauseAbove: 10 });
    await execution.submit([1]);
    scene.listed.settle('failed', 'ref-1');
    await execution.endRound();
    await scene.ledger.requestCancel(scene.batchId, 'arn:person');
    await execution.sweep();
    expect(scene.statuses()).toContain('failed');
    expect((await scene.batch()).status).toBe('processing');
  });

  it('is not paused by a check that read it before a person resumed it', async () => {
    const { scene, execution, resume } = await createScene({ chunks: 2, rows: 4, pauseAbove: 0 });
    await execution.submit([1]);
    scene.listed.settle('failed', 'ref-1');
    await execution.endRound();
    const before = await scene.batch();
    await execution.forSeconds(60);
    await resume();
    const late = { ...scene.dependencies, ledger: { ...scene.ledger, getBatch: async () => before } };
    await createExecution({ ...scene, dependencies: late }).sweep();
    expect((await scene.batch()).status).toBe('processing');
  });
});

describe('a batch whose payouts the provider shows otherwise than the file has them', () => {
  const masking = async (options: SceneOptions) => {
    const { scene, ...others } = await createScene(options);
    const answer = (references: readonly string[]) => ({
      kind: 'answered' as const,
      disbursements: references.map((reference) =>
        scene.listed.add(scene.disbursementOf(reference, { destinationHash: 'masked' })),
      ),
    });
    return { scene, ...others, mask: (calls: number) => scene.answers.push(...Array(calls).fill(answer)) };
  };

  it('is paused by the first chunk that shows it, and claims nothing more', async () => {
    const { scene, execution, mask } = await masking({ chunks: 3, rows: 4 });
    mask(1);
    await execution.submit([1]);
    const { status, reason } = await scene.batch();
    expect([status, reason?.code]).toEqual(['paused', 'all_quarantined']);
    expect(reason?.message).toContain('4 payouts in IDR are quarantined, and none got through.');
    await execution.submit([2, 3]);
    expect(scene.posted).toHaveLength(1);
    expect(scene.statuses()).toContain('quarantined');
  });

  it('is paused by a sweep when only the list shows it', async () => {
    const { scene, execution } = await masking({ chunks: 2, rows: 4 });
    await execution.submit([1]);
    for (const row of [1, 2, 3, 4])
      scene.listed.add(scene.disbursementOf(`ref-${row}`, { destinationHash: 'masked', status: 'completed' }));
    scene.passSeconds(60);
    await execution.sweep();
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'all_quarantined' } });
  });

  it('continues when it is resumed, and is paused again only if more are quarantined', async () => {
    const { scene, execution, resume, mask } = await masking({ chunks: 3, rows: 4 });
    mask(2);
    await execution.submit([1]);
    await resume();
    expect(await scene.batch()).toMatchObject({ status: 'processing', acknowledgedQuarantined: { IDR: 4 } });
    await execution.sweep();
    expect((await scene.batch()).status).toBe('processing');
    scene.passSeconds(60);
    await execution.submit([2]);
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'all_quarantined' } });
    await resume();
    await execution.submit([3]);
    expect((await scene.batch()).status).toBe('processing');
    expect(scene.posted).toHaveLength(3);
  });

  it('is not paused again by counts from before a person settled them and resumed it', async () => {
    const { scene, execution, resume, mask } = await masking({ chunks: 2, rows: 4 });
    mask(1);
    await execution.submit([1]);
    for (const row of [1, 2, 3, 4]) await scene.arrange(row, { status: 'rejected' });
    await scene.ledger.refreshChunk(scene.batchId, 1);
    await resume();
    scene.answers.push((references) => ({
      kind: 'answered',
      disbursements: references.map((reference, index) =>
        scene.listed.add(scene.disbursementOf(reference, index === 0 ? { destinationHash: 'masked' } : {})),
      ),
    }));
    await execution.submit([2]);
    expect(scene.statuses()).toContain('quarantined');
    expect((await scene.batch()).status).toBe('processing');
  });

  it('needs one resume when they are its canary, which pauses it for the first of them', async () => {
    const { scene, execution, resume, mask } = await masking({ chunks: 3, rows: 4, canary: 4 });
    mask(1);
    await execution.submit([1]);
    await execution.endRound();
    await execution.sweep();
    expect(await scene.batch()).toMatchObject({ status: 'paused', reason: { code: 'canary_failed' } });
    await resume();
    scene.passSeconds(60);
    await execution.sweep();
    expect((await scene.batch()).status).toBe('processing');
    await execution.submit([2, 3]);
    expect(scene.posted).toHaveLength(3);
  });

  it.each([
    ['nothing is left to submit', { chunks: 1, rows: 4 }],
    ['few are quarantined', { chunks: 2, rows: 2 }],
  ])('is not when %s', async (_name, options) => {
    const { scene, execution, mask } = await masking(options);
    mask(1);
    await execution.submit([1]);
    await execution.endRound();
    await execution.sweep();
    expect((await scene.batch()).status).toBe('processing');
  });
});
