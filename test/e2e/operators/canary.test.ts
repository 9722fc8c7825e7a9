import { describe, it } from 'vitest';
import {
  act,
  csvOf,
  freshAccount,
  idrRow,
  start,
  until,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';

// Concurrent, because they mostly wait.
describe.concurrent('a batch with a canary', () => {
  it('pays its first rows, and the others once these have completed', async ({ expect }) => {
    const file = await upload(csvOf(idrRow(), idrRow(), idrRow()));
    const batchId = await start(file, { canary: 1 });
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'completed', canary: 1, counts: { completed: 3 } });
    expect(ended.timeline.map(({ code }) => code)).toContain('batch.canary_passed');
  });

  it('pauses when one of them fails, and again for unpaid rows, and pays the others when resumed', async ({
    expect,
  }) => {
    const file = await upload(csvOf(idrRow({ account: freshAccount('9901') }), idrRow(), idrRow()));
    const batchId = await start(file, { canary: 1, pauseAbove: 0 });
    const spoiled = await until(batchId, ({ status }) => status === 'paused');
    expect(spoiled).toMatchObject({ reason: { code: 'canary_failed' }, counts: { failed: 1, ready: 2 } });
    expect((await act(batchId, 'resume')).status).toBe(202);
    const unpaid = await until(batchId, ({ reason }) => reason?.code === 'unpaid_above');
    expect(unpaid).toMatchObject({ status: 'paused', counts: { failed: 1, ready: 2 } });
    expect((await act(batchId, 'resume')).status).toBe(202);
    expect(await untilEnded(batchId)).toMatchObject({
      status: 'partially_completed',
      counts: { failed: 1, completed: 2 },
    });
  });
});
