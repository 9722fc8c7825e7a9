import { describe, expect, it } from 'vitest';
import { ensureExecution, startAnother } from '../../../functions/batches/start-execution.ts';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { createBatchScene } from '../../support/scenes/batch-scene.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';

const createScene = async (over: readonly string[] = []) => {
  const scene = await createBatchScene();
  const workflow = fakeWorkflow(over);
  return { scene, workflow, dependencies: { ledger: scene.ledger, workflow } };
};

describe('another execution', () => {
  it('is counted, recorded, and started with the batch as its input', async () => {
    const { scene, workflow, dependencies } = await createScene();
    expect(await startAnother(dependencies, await scene.batch(), 'arn:person', 'Ticket 4711')).toMatchObject({
      executions: 2,
    });
    expect(workflow.asked).toEqual(['b-1-2 of b-1']);
    expect((await scene.ledger.listTimeline('b-1', { limit: 10, consistent: true })).items.at(-1)).toMatchObject({
      by: 'arn:person',
      note: 'Ticket 4711',
    });
  });

  it('is started once for two concurrent requests, or one with an old view of the batch', async () => {
    const { scene, workflow, dependencies } = await createScene();
    const read = await scene.batch();
    await Promise.all([startAnother(dependencies, read, 'a'), startAnother(dependencies, read, 'b')]);
    await startAnother(dependencies, read, 'c');
    expect((await scene.batch()).executions).toBe(2);
    expect([...workflow.running]).toEqual(['b-1-2']);
  });
});

describe('ensuring that a batch has an execution', () => {
  it('starts none while the last one runs, except one that was counted and never started', async () => {
    const { scene, workflow, dependencies } = await createScene();
    await ensureExecution(dependencies, await scene.batch(), 'arn:person');
    await ensureExecution(dependencies, await scene.batch(), 'arn:person');
    expect((await scene.batch()).executions).toBe(1);
    expect([...workflow.running]).toEqual(['b-1']);
  });

  it('starts another after one that recorded its end', async () => {
    const { scene, workflow, dependencies } = await createScene();
    await scene.ledger.moveBatch('b-1', batchTransitions.pause, 'system', { endedExecution: 1 });
    await ensureExecution(dependencies, await scene.batch(), 'arn:person');
    expect([...workflow.running]).toEqual(['b-1-2']);
    expect(await scene.batch()).not.toHaveProperty('executionEnded');
  });

  it('starts another after one that could not record its end', async () => {
    const { scene, workflow, dependencies } = await createScene(['b-1']);
    await ensureExecution(dependencies, await scene.batch(), 'arn:person');
    expect([...workflow.running]).toEqual(['b-1-2']);
  });
});
