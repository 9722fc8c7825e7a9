import { describe, expect, it } from 'vitest';
import { handOver } from '../../../functions/steps/hand-over.ts';
import { batchId, createBatchScene } from '../../support/scenes/batch-scene.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';

const createScene = async () => {
  const scene = await createBatchScene();
  const workflow = fakeWorkflow();
  const machines: string[] = [];
  const run = (execution = batchId) =>
    handOver(
      {
        ledger: scene.ledger,
        workflowOf: (stateMachine) => {
          machines.push(stateMachine);
          return workflow;
        },
      },
      { batchId, execution, stateMachine: 'arn:machine' },
    );
  return { scene, workflow, machines, run };
};

describe('HandOver', () => {
  it('counts and starts the next execution of its own state machine', async () => {
    const { scene, workflow, machines, run } = await createScene();
    expect(await run()).toEqual({ batchId, next: 'handed_over' });
    expect((await scene.batch()).executions).toBe(2);
    expect(workflow.asked).toEqual([`${batchId}-2 of ${batchId}`]);
    expect(machines).toEqual(['arn:machine']);
  });

  it('starts one when run twice, in sequence or concurrently', async () => {
    const { scene, workflow, run } = await createScene();
    await Promise.all([run(), run()]);
    await run();
    expect((await scene.batch()).executions).toBe(2);
    expect([...workflow.running]).toEqual([`${batchId}-2`]);
  });

  it('starts a counted execution after it died before starting it', async () => {
    const { scene, workflow, run } = await createScene();
    await scene.ledger.beginExecution(batchId, 1, 'system');
    await run();
    expect((await scene.batch()).executions).toBe(2);
    expect(workflow.asked).toEqual([`${batchId}-2 of ${batchId}`]);
  });

  it('starts none when an operator has started others meanwhile', async () => {
    const { scene, workflow, run } = await createScene();
    await scene.ledger.beginExecution(batchId, 1, 'arn:person');
    await scene.ledger.beginExecution(batchId, 2, 'arn:person');
    await run();
    expect((await scene.batch()).executions).toBe(3);
    expect(workflow.asked).toEqual([]);
  });
});
