import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import { awaitStart } from '../../../functions/steps/await-start.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { exampleBatch, examplePlan } from '../../support/scenes/example-batch.ts';
import { silentLog } from '../../support/silent-log.ts';

const startedAt = Date.parse('2026-11-21T08:00:00Z');
const startAt = '2026-11-21T16:00:00+07:00';
const hour = 3600;

const createScene = (changes: Partial<Batch> = {}) => {
  let now = startedAt;
  const ledger = createMemoryLedger(() => now);
  const plan = examplePlan('b-1', 1, []);
  ledger.putBatch(exampleBatch('b-1', { status: 'validating', startAt, plan, ...changes }));
  const asked: string[] = [];
  const warned: string[] = [];
  const schedules = {
    wakeAt: async (batchId: string, atMs: number, stateMachine: string) =>
      void asked.push(`wake ${batchId} at ${new Date(atMs).toISOString()} by ${stateMachine}`),
    forget: async (batchId: string) => void asked.push(`forget ${batchId}`),
  };
  const dependencies = {
    ledger,
    schedules,
    settings: orchestratorSettings().parse({}),
    clock: () => now,
    log: { ...silentLog, warn: (code: string) => void warned.push(code) },
  };
  return {
    ledger,
    asked,
    warned,
    schedules,
    batch: () => ledger.batches.get('b-1'),
    run: (execution = 'b-1') => awaitStart(dependencies, { batchId: 'b-1', execution, stateMachine: 'arn:machine' }),
    passSeconds: (seconds: number) => {
      now += seconds * 1000;
    },
  };
};

const wake = 'wake b-1 at 2026-11-21T09:00:00.000Z by arn:machine';

describe('AwaitStart', () => {
  it('schedules the batch, counts the execution that is to begin, and sets its schedule', async () => {
    const { run, batch, asked, ledger } = createScene();
    expect(await run()).toMatchObject({ next: 'rest' });
    expect(batch()).toMatchObject({ status: 'scheduled', executions: 2 });
    expect(asked).toEqual([wake]);
    expect((await ledger.listTimeline('b-1', { limit: 5 })).items).toMatchObject([
      { code: 'batch.scheduled', detail: 'b-1-2' },
    ]);
    expect(await ledger.listOpenBatches()).toEqual(['b-1']);
  });

  it('counts one execution however often it runs', async () => {
    const { run, batch } = createScene();
    await Promise.all([run(), run()]);
    await run();
    expect(batch()).toMatchObject({ status: 'scheduled', executions: 2 });
  });

  it('lets only the counted execution continue at the start time', async () => {
    const { run, batch, passSeconds } = createScene();
    await run();
    passSeconds(hour);
    expect(await run('b-1')).toMatchObject({ next: 'rest' });
    expect(batch()?.status).toBe('scheduled');
    expect(await run('b-1-2')).toMatchObject({ next: 'estimate' });
    expect(batch()?.status).toBe('validating');
    expect(await run('b-1-2')).toMatchObject({ next: 'estimate' });
  });

  it.each([
    ['waits the last seconds itself', hour - 20, { next: 'wait', waitSeconds: 20 }],
    ['ends an execution that begins far too early', hour - 600, { next: 'rest' }],
  ])('%s', async (_name, seconds, answer) => {
    const { run, batch, passSeconds } = createScene();
    await run();
    passSeconds(seconds);
    expect(await run('b-1-2')).toMatchObject(answer);
    expect(batch()?.status).toBe('scheduled');
  });

  it.each(['validating', 'processing'] as const)(
    'leaves a batch that is %s to the running execution, however late it runs',
    async (status) => {
      const { run, batch, asked, passSeconds } = createScene({ status, executions: 2 });
      passSeconds(hour);
      expect(await run('b-1')).toMatchObject({ next: 'rest' });
      expect(await run('b-1-2')).toMatchObject({ next: 'estimate' });
      expect([batch()?.status, asked]).toEqual([status, []]);
    },
  );

  it('continues immediately when its time has passed', async () => {
    const { run, batch, asked, passSeconds } = createScene();
    passSeconds(hour);
    expect(await run()).toMatchObject({ next: 'estimate' });
    expect(batch()).toMatchObject({ status: 'validating', executions: 1 });
    expect(asked).toEqual([]);
  });

  it.each(['processing', 'awaiting_funds', 'paused', 'pending_approval', 'completed'] as const)(
    'ignores a batch that is %s',
    async (status) => {
      const { run, batch, asked } = createScene({ status });
      expect(await run()).toMatchObject({ next: 'estimate' });
      expect(batch()?.status).toBe(status);
      expect(asked).toEqual([]);
    },
  );

  it.each(['b-1', 'b-1-2'])('ends a batch that is canceled while it waits, in execution %s', async (execution) => {
    const { run, batch, asked, ledger } = createScene();
    await run();
    await ledger.requestCancel('b-1', 'arn:person');
    expect(await run(execution)).toMatchObject({ next: 'ended' });
    expect(batch()).toMatchObject({ status: 'canceled', reason: { code: 'canceled' } });
    expect(asked).toEqual([wake, 'forget b-1']);
  });

  it('does not schedule a batch that is being canceled', async () => {
    const { run, batch, asked, ledger } = createScene();
    await ledger.requestCancel('b-1', 'arn:person');
    expect(await run()).toMatchObject({ next: 'ended' });
    expect(batch()).toMatchObject({ status: 'canceled', executions: 1 });
    expect(asked).toEqual(['forget b-1']);
  });

  it('schedules it even when the scheduler is unavailable, because the watch begins it', async () => {
    const { run, batch, warned, schedules } = createScene();
    schedules.wakeAt = async () => {
      throw new Error('out');
    };
    expect(await run()).toMatchObject({ next: 'rest' });
    expect(batch()?.status).toBe('scheduled');
    expect(warned).toEqual(['schedule.failed']);
  });
});
