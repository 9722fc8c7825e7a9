import { describe, expect, it } from 'vitest';
import { beginWhenDue } from '../../../functions/batches/begin-when-due.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { exampleBatch } from '../../support/scenes/example-batch.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';

const startAt = '2026-11-21T16:00:00+07:00';
const due = Date.parse(startAt);

const createScene = (changes: Partial<Batch> = {}, over: readonly string[] = []) => {
  const batch = exampleBatch('b-1', { status: 'scheduled', executions: 2, startAt, ...changes });
  const ledger = createMemoryLedger(() => due);
  ledger.putBatch(batch);
  const workflow = fakeWorkflow(over);
  return { workflow, ledger, begin: (nowMs: number) => beginWhenDue({ ledger, workflow }, batch, nowMs) };
};

describe('a batch at its start time', () => {
  it.each([
    ['an hour before', -3_600_000, []],
    ['within the last minute', -59_000, ['b-1-2']],
    ['at the time', 0, ['b-1-2']],
    ['days later', 300_000_000, ['b-1-2']],
  ])('is begun by the counted execution, at most a minute early: %s', async (_name, afterMs, running) => {
    const { begin, workflow } = createScene();
    expect(await begin(due + afterMs)).toBe(running.length > 0);
    expect([...workflow.running]).toEqual(running);
  });

  it('is begun once, even concurrently', async () => {
    const { begin, workflow, ledger } = createScene();
    await Promise.all([begin(due), begin(due), begin(due + 1000)]);
    expect([...workflow.running]).toEqual(['b-1-2']);
    expect(ledger.batches.get('b-1')?.executions).toBe(2);
  });

  it('is begun by a new execution when the counted one ended without beginning it', async () => {
    const { begin, workflow, ledger } = createScene({}, ['b-1-2']);
    await Promise.all([begin(due), begin(due)]);
    expect([...workflow.running]).toEqual(['b-1-3']);
    expect(ledger.batches.get('b-1')?.executions).toBe(3);
  });

  it('is begun before its time to be canceled', async () => {
    const { begin, workflow } = createScene({ cancelRequestedAt: '2026-11-21T08:30:00.000Z' });
    expect(await begin(due - 3_000_000)).toBe(true);
    expect([...workflow.running]).toEqual(['b-1-2']);
  });

  it.each(['accepted', 'validating', 'processing', 'paused', 'canceled', 'completed'] as const)(
    'is not begun once it is %s',
    async (status) => {
      const { begin, workflow } = createScene({ status });
      expect(await begin(due)).toBe(false);
      expect(workflow.asked).toEqual([]);
    },
  );
});
