import { describe, it } from 'vitest';
import {
  act,
  csvOf,
  freshAccount,
  idrRow,
  start,
  statusOf,
  until,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';

/** ISO 8601 with an offset other than the machine's. */
const inSeconds = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000 + 7 * 3_600_000).toISOString().replace('Z', '+07:00');

// Concurrent, because they mostly wait.
describe.concurrent('a batch with a start time', () => {
  it('waits once its file is checked, and is paid at its start time', async ({ expect }) => {
    // Longer than planning takes on a busy machine.
    const startAt = inSeconds(15);
    const batchId = await start(await upload(csvOf(idrRow())), { startAt });
    const resting = await until(batchId, ({ status }) => status === 'scheduled');
    expect(resting).toMatchObject({ startAt, counts: { ready: 1 }, attention: [{ code: 'scheduled' }] });
    expect(resting.executions).toHaveLength(1);
    const ended = await untilEnded(batchId);
    expect(ended).toMatchObject({ status: 'completed', counts: { completed: 1 } });
    expect(ended.executions).toHaveLength(2);
    const begun = ended.timeline.find(({ code }) => code === 'batch.processing')?.at ?? '';
    expect(Date.parse(begun)).toBeGreaterThanOrEqual(Date.parse(startAt));
  });

  it('pays nothing when it is canceled while it waits', async ({ expect }) => {
    const batchId = await start(await upload(csvOf(idrRow())), { startAt: inSeconds(3600) });
    await until(batchId, ({ status }) => status === 'scheduled');
    expect((await act(batchId, 'pause')).status).toBe(409);
    expect((await act(batchId, 'cancel')).status).toBe(202);
    await untilEnded(batchId);
    expect(await statusOf(batchId)).toMatchObject({ status: 'canceled', counts: { canceled: 1 } });
  });
});

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
