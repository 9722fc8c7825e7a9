import { describe, expect, it } from 'vitest';
import { resumeBatch } from '../../../../functions/api/batches/resume-batch.ts';
import { isoNow } from '../../../../functions/ports/environment.ts';
import { createExecution } from '../../../support/execution.ts';
import { createBatchScene } from '../../../support/scenes/batch-scene.ts';
import { fakeWorkflow } from '../../../support/scenes/fake-workflow.ts';

/** A batch of four chunks with one row each. The first two rows are the canary. */
const createScene = async () => {
  const scene = await createBatchScene({ chunks: 4, rows: 1, canary: 2 });
  const execution = createExecution(scene);
  const resume = () =>
    resumeBatch(
      { ledger: scene.ledger, workflow: fakeWorkflow(), clock: scene.clock },
      { path: { batchId: scene.batchId }, caller: 'arn:person', body: {} },
    );
  return { scene, execution, resume };
};

const posted = (scene: { readonly posted: readonly (readonly string[])[] }) => scene.posted.flat().toSorted();

describe('a batch with a canary', () => {
  it('claims nothing after it while it is open', async () => {
    const { scene, execution } = await createScene();
    await execution.submit([1, 2, 3, 4]);
    expect(posted(scene)).toEqual(['ref-1', 'ref-2']);
    const { batchId } = scene;
    const call = { batchId, chunk: 3, k: 1, rows: [3], payloadHash: 'h', claimId: 'c', claimedAt: isoNow(scene.clock) };
    expect(await scene.ledger.claimCall(call)).toEqual({ kind: 'stopped' });
  });

  it('submits the others only once all of it has completed', async () => {
    const { scene, execution } = await createScene();
    await execution.submit([1, 2]);
    await execution.endRound();
    scene.listed.settle('completed', 'ref-1');
    await execution.forSeconds(600);
    expect(posted(scene)).toEqual(['ref-1', 'ref-2']);
    expect(await scene.batch()).toMatchObject({ status: 'processing', claimUpTo: 2 });
    scene.listed.settle('completed', 'ref-2');
    const output = await execution.until('submit');
    expect(scene.manifests.get(output.manifestKey)).toEqual([3, 4]);
    expect((await scene.batch()).claimUpTo).toBeUndefined();
    expect(await scene.events('batch.canary_passed')).toHaveLength(1);
    await execution.goOn(output);
    expect(posted(scene)).toEqual(['ref-1', 'ref-2', 'ref-3', 'ref-4']);
  });

  it.each(['failed', 'canceled'] as const)(
    'pauses and names the payout when one is %s, and sends the others once resumed',
    async (status) => {
      const { scene, execution, resume } = await createScene();
      await execution.submit([1, 2]);
      await execution.endRound();
      scene.listed.settle('completed', 'ref-1');
      scene.listed.settle(status, 'ref-2');
      await execution.forSeconds(300);
      const { reason, status: standing } = await scene.batch();
      expect(standing).toBe('paused');
      expect(reason?.code).toBe('canary_failed');
      expect(reason?.message).toContain(`ref-2 is ${status}`);
      expect(reason?.message).toContain('The other 2 were not sent.');
      expect(posted(scene)).toEqual(['ref-1', 'ref-2']);
      await resume();
      expect(await scene.batch()).toMatchObject({ status: 'processing' });
      const output = await execution.until('submit');
      expect(scene.manifests.get(output.manifestKey)).toEqual([3, 4]);
      expect((await scene.batch()).status).toBe('processing');
    },
  );

  it('is still held when it was paused for another reason and resumed', async () => {
    const { scene, execution, resume } = await createScene();
    await execution.submit([1, 2]);
    await execution.endRound();
    await scene.pause();
    await resume();
    expect(await scene.batch()).toMatchObject({ status: 'processing', claimUpTo: 2 });
    await execution.forSeconds(300);
    expect(posted(scene)).toEqual(['ref-1', 'ref-2']);
  });

  it('keeps a person’s decision against a sweep that read the batch before', async () => {
    const { scene, execution, resume } = await createScene();
    await execution.submit([1, 2]);
    await execution.endRound();
    scene.listed.settle('failed', 'ref-1');
    await execution.forSeconds(300);
    expect((await scene.batch()).status).toBe('paused');
    const before = { ...(await scene.batch()), status: 'processing' as const };
    await resume();
    const late = { ...scene.dependencies, ledger: { ...scene.ledger, getBatch: async () => before } };
    await createExecution({ ...scene, dependencies: late }).sweep();
    expect((await scene.batch()).status).toBe('processing');
  });

  it('registers and cancels the others when it is canceled', async () => {
    const { scene, execution } = await createScene();
    await execution.submit([1, 2]);
    await execution.endRound();
    await scene.ledger.requestCancel(scene.batchId, 'arn:person');
    const output = await execution.until('submit');
    expect(scene.manifests.get(output.manifestKey)).toEqual([3, 4]);
    await execution.goOn(output);
    expect(scene.statuses().slice(2)).toEqual(['canceled', 'canceled']);
    expect(posted(scene)).toEqual(['ref-1', 'ref-2']);
  });
});
