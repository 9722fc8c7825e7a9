import { describe, expect, it } from 'vitest';
import { listEvents } from '../../functions/api/batches/list-events.ts';
import { batchStatuses } from '../../functions/domain/batch/batch-status.ts';
import type { CloudEvent } from '../../functions/domain/events/cloud-event.ts';
import { sequenceOf, sequenceText } from '../../functions/domain/events/cloud-event.ts';
import { chanceOf } from '../support/chance.ts';
import type { Trouble } from './world/crashing-publishers.ts';
import { CrashingPublishers } from './world/crashing-publishers.ts';

const batches = 20;

const changing = async (changes: number, trouble: Trouble) => {
  const publishers = new CrashingPublishers(chanceOf(changes), trouble);
  const batchIds = Array.from({ length: batches }, (_, index) => `b-${index}`);
  for (const batchId of batchIds) {
    await publishers.change(batchId, changes / batches);
    if (batchId.endsWith('5')) await publishers.handOver();
  }
  await publishers.handOver();
  for (let looks = 0; looks < 3; looks += 1) await publishers.lookLater();
  return { publishers, batchIds };
};

/** The first delivery of each event, in the order of their numbers. */
const firstDeliveries = ({ delivered }: CrashingPublishers, batchId: string): readonly CloudEvent[] => {
  const first = new Map(delivered.toReversed().map((event) => [event.id, event]));
  return [...first.values()]
    .filter((event) => event.data.batchId === batchId)
    .toSorted((one, other) => sequenceOf(one) - sequenceOf(other));
};

const timelineOf = async ({ ledger }: CrashingPublishers, batchId: string) => {
  const { items } = await ledger.listTimeline(batchId, { limit: 1000 });
  return items.map(({ at, code }) => `${at} ${code}`);
};

const replayOf = async ({ ledger }: CrashingPublishers, batchId: string): Promise<readonly CloudEvent[]> => {
  const events: CloudEvent[] = [];
  for (;;) {
    const after = events.length;
    const outcome = await listEvents({ ledger }, { path: { batchId }, query: { after, limit: 100 } });
    if (outcome.kind !== 'answer') throw new Error('the batch is not found');
    events.push(...outcome.body.events);
    if (outcome.body.events.length === 0) return events;
  }
};

describe.each([
  ['10,000 changes of status, published by processes that die', 10_000, { dies: 0.05, refuses: 0.1, loses: 0 }],
  ['2,000, and the stream loses many as well', 2000, { dies: 0.05, refuses: 0.1, loses: 0.3 }],
])('%s', (_name, changes, trouble) => {
  const run = changing(changes, trouble);

  it('are each published, under numbers without a gap', async () => {
    const { publishers, batchIds } = await run;
    for (const batchId of batchIds) {
      const events = firstDeliveries(publishers, batchId);
      expect(events.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: changes / batches }, (_, index) => sequenceText(index + 1)),
      );
      const published = events.map(({ time, type }) => `${time} ${type}`);
      const timeline = await timelineOf(publishers, batchId);
      expect(published.toSorted()).toEqual(timeline.toSorted());
      if (publishers.lost === 0) expect(published).toEqual(timeline);
    }
    expect(publishers.unpublished).toBe(0);
  });

  it('name the status of the event before as the previous one', async () => {
    const { publishers, batchIds } = await run;
    for (const batchId of batchIds) {
      const statuses = firstDeliveries(publishers, batchId).map(({ data }) => data);
      expect(statuses.slice(1).map(({ previousStatus }) => previousStatus)).toEqual(
        statuses.slice(0, -1).map(({ status }) => status),
      );
      expect(statuses.every(({ status }) => batchStatuses.some((one) => one === status))).toBe(true);
    }
  });

  it('are the same in each delivery, and when they are read again', async () => {
    const { publishers, batchIds } = await run;
    for (const batchId of batchIds)
      expect(await replayOf(publishers, batchId)).toEqual(firstDeliveries(publishers, batchId));
    const texts = new Map<string, Set<string>>();
    for (const event of publishers.delivered)
      texts.set(event.id, (texts.get(event.id) ?? new Set()).add(JSON.stringify(event)));
    expect([...texts.values()].every(({ size }) => size === 1)).toBe(true);
    expect(texts.size).toBe(changes);
  });

  it('are published amid deaths and repetitions', async () => {
    const { publishers } = await run;
    expect(publishers.deaths).toBeGreaterThan(changes / 100);
    expect(publishers.delivered.length).toBeGreaterThan(changes);
    expect(publishers.lost > 0).toBe(trouble.loses > 0);
  });
});
