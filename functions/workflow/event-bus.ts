import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../ports/event-bus.ts';

/** Entries in one PutEvents: a limit of EventBridge. */
const mostEntries = 10;

/** The stack's bus. An entry that EventBridge refuses, as when it throttles, ends the count: those after it come again. */
export const createEventBus = (client: EventBridgeClient, busName: string): EventBus => ({
  publish: async (events) => {
    for (let from = 0; from < events.length; from += mostEntries) {
      const { Entries = [], FailedEntryCount = 0 } = await client.send(
        new PutEventsCommand({
          Entries: events.slice(from, from + mostEntries).map((event) => ({
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
