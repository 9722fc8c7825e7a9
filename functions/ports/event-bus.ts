import type { CloudEvent } from '../domain/events/cloud-event.ts';

/** Where others hear of batches. */
export interface EventBus {
  /** Publishes each; a repetition has the same id. Answers how many, from the first, were taken without a gap. */
  publish(events: readonly CloudEvent[]): Promise<number>;
}
