import type { DeliveryQueue } from './delivery-queue.ts';

/**
 * The part of a webhook that is worth asking the provider about. It waits in queues, so it is small and omits the webhook's body.
 */
export interface Hint {
  /** Hex SHA-256 of the webhook's body, which identifies it in logs and ledger. */
  readonly webhook: string;
  /** ISO 8601 UTC. A lookup that begins later covers the hint. */
  readonly receivedAt: string;
  /** Texts that may be the reference of a payout. */
  readonly candidates: readonly string[];
  /** The provider's ids to ask about when no candidate is a reference. From webhooks that carry no reference. */
  readonly ids?: readonly string[];
}

/** The queue of hints between the ledger's stream and the provider. */
export interface HintQueue extends DeliveryQueue {
  /** Sends all hints. Throws when one was not accepted. Sending one twice is harmless. */
  send(hints: readonly Hint[]): Promise<void>;
}

/** The text of a message in the dead-letter queue, as found. */
export interface DeadLetter {
  readonly text: string;
  readonly receiptHandle: string;
}

/** The dead-letter queue of hints, for the command that applies them again. */
export interface DeadLetters {
  /** Approximate number of messages. */
  count(): Promise<number>;
  /** Returns up to ten. Those that are not put back reappear after some minutes. */
  take(): Promise<readonly DeadLetter[]>;
  /** Sends the hint to the queue, then deletes it here. A crash in between leaves it in both, which is harmless. */
  putBack(hint: DeadLetter): Promise<void>;
}
