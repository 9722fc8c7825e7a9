import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { numberNews } from '../../../functions/domain/events/cloud-event.ts';
import { batchNews } from '../../../functions/domain/events/news.ts';
import { notifyPeople } from '../../../functions/events/notify-people.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { newBatch } from '../../support/scenes/new-batch.ts';
import { silentLog } from '../../support/silent-log.ts';

const at = '2026-01-05T09:00:00.000Z';

const scene = async () => {
  const ledger = createMemoryLedger(() => Date.parse(at));
  await ledger.createBatch(newBatch({ batchId: 'b-1' }));
  const subjects: string[] = [];
  const people = { notify: async ({ subject }: { subject: string }) => void subjects.push(subject) };
  return { subjects, dependencies: { ledger, people, apiUrl: 'https://api.example', log: silentLog } };
};

const heard = (batchId: string, ...transitions: readonly (keyof typeof batchTransitions)[]) =>
  numberNews(
    batchId,
    { sequence: 0 },
    transitions.map((name) => batchNews(at, batchTransitions[name])),
  ).events.map((detail) => ({ detail }));

describe('people', () => {
  it('are notified of chosen events, and of nothing else', async () => {
    const { subjects, dependencies } = await scene();
    for (const event of heard('b-1', 'startValidating', 'halt', 'cancel')) await notifyPeople(dependencies, event);
    expect(subjects).toEqual(['Payouts b-1: paused, needs a person', 'Payouts b-1: canceled']);
  });

  it('are not notified of a missing batch, which is an error', async () => {
    const { dependencies } = await scene();
    const [event] = heard('b-none', 'cancel');
    if (event === undefined) throw new Error('no event');
    await expect(notifyPeople(dependencies, event)).rejects.toThrow('event_without_batch');
  });
});
