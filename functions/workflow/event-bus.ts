import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../ports/event-bus.ts';

/** EventBridge's limit of entries in one PutEvents. */
const maxEntries = 10;

/**
 * Publishes to the stack's bus, in order. Returns how many events were taken before the first one that EventBridge refused, for
 * example because it throttles. The caller sends the rest again.
 */
export const createEventBus = (client: EventBridgeClient, busName: string): EventBus => ({
  publish: async (events) => {
    for (let from = 0; from < events.length; from += maxEntries) {
      const { Entries = [], FailedEntryCount = 0 } = await client.send(
        new PutEventsCommand({
          Entries: events.slice(from, from + maxEntries).map((event) => ({
            EventBusName: busName,
            Source: event.source,
            DetailType: event.type,
            Time: new Date(event.time),
            Detail: JSON.stringify(event),
          })),
        }),
      );
      if (FailedEntryCount === 0) continue;
      const refused = Entries.findIndex(({ ErrorCode }) => ErrorCode !== undefined);
      return from + Math.max(refused, 0);
    }
    return events.length;
  },
});
