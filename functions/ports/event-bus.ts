import type { CloudEvent } from '../domain/events/cloud-event.ts';

/** The bus on which other systems receive events about batches. */
export interface EventBus {
  /** Publishes the events. A repetition has the same id. Returns how many, from the first, were accepted without a gap. */
  publish(events: readonly CloudEvent[]): Promise<number>;
}
