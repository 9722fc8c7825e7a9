import { describe, expect, it } from 'vitest';
import { beginScheduled } from '../../../functions/watch/begin-scheduled.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { exampleBatch } from '../../support/scenes/example-batch.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';
import { silentLog } from '../../support/silent-log.ts';

const startAt = '2026-11-21T16:00:00+07:00';

const createScene = (status: 'scheduled' | 'canceled') => {
  const ledger = createMemoryLedger(() => 0);
  ledger.putBatch(exampleBatch('b-1', { status, executions: 2, startAt }));
  const workflow = fakeWorkflow();
  const machines: string[] = [];
  const begin = (batchId: string) =>
    beginScheduled(
      {
        ledger,
        workflowOf: (stateMachine) => {
          machines.push(stateMachine);
          return workflow;
        },
        clock: () => Date.parse(startAt),
        log: silentLog,
      },
      { batchId, stateMachine: 'arn:machine' },
    );
  return { begin, workflow, machines };
};

describe('a running schedule', () => {
  it('begins its batch with its state machine', async () => {
    const { begin, workflow, machines } = createScene('scheduled');
    await begin('b-1');
    expect([...workflow.running]).toEqual(['b-1-2']);
    expect(machines).toEqual(['arn:machine']);
  });

  it.each([
    ['was canceled', 'b-1'],
    ['is not there', 'b-none'],
  ])('does not begin a batch that %s', async (_name, batchId) => {
    const { begin, workflow } = createScene('canceled');
    await begin(batchId);
    expect(workflow.asked).toEqual([]);
  });
});
