import type { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from 'vitest';
import { numberNews } from '../../../functions/domain/events/cloud-event.ts';
import { batchNews } from '../../../functions/domain/events/news.ts';
import { createEventBus } from '../../../functions/workflow/event-bus.ts';

const at = '2026-01-05T09:00:00.000Z';
const news = Array.from({ length: 25 }, () => batchNews(at, { event: 'batch.paused', to: 'paused' }));
const { events } = numberNews('b-1', { sequence: 0 }, news);

/** A bus that refuses these entries, by their position among all. */
const refusing = (refused: readonly number[]) => {
  const asked: PutEventsCommand['input'][] = [];
  const send = async ({ input }: PutEventsCommand) => {
    const before = asked.reduce((sum, { Entries = [] }) => sum + Entries.length, 0);
    asked.push(input);
    const Entries = (input.Entries ?? []).map((_, index) =>
      refused.includes(before + index) ? { ErrorCode: 'ThrottlingException' } : { EventId: 'e' },
    );
    return { Entries, FailedEntryCount: Entries.filter((one) => 'ErrorCode' in one).length };
  };
  const client = Object.assign(new EventBridgeClient({ region: 'none' }), { send });
  return { bus: createEventBus(client, 'the-bus'), asked };
};

describe('the bus', () => {
  it('gets ten events at a time, each complete in its detail', async () => {
    const { bus, asked } = refusing([]);
    expect(await bus.publish(events)).toBe(25);
    expect(asked.map(({ Entries = [] }) => Entries.length)).toEqual([10, 10, 5]);
    expect(asked[0]?.Entries?.[0]).toEqual({
      EventBusName: 'the-bus',
      Source: 'payout-orchestrator',
      DetailType: 'batch.paused',
      Time: new Date(at),
      Detail: JSON.stringify(events[0]),
    });
  });

  it.each([
    [[0], 0],
    [[3, 7], 3],
    [[14], 14],
    [[24], 24],
  ])('returns how many it accepted before the first refused one, of %j', async (refused, taken) => {
    expect(await refusing(refused).bus.publish(events)).toBe(taken);
  });
});
