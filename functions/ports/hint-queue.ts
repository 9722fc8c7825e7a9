import type { DeliveryQueue } from './delivery-queue.ts';

/** What a webhook says that is worth asking about. Small, and without the webhook's body: it waits in queues. */
export interface Hint {
  /** Hex SHA-256 of the webhook's body: the logs and the ledger know it by that. */
  readonly webhook: string;
  /** ISO 8601 UTC; a look-up that begins after this covers the hint. */
  readonly receivedAt: string;
  /** Texts that may be the reference of a payout. */
  readonly candidates: readonly string[];
  /** Ids that the provider is asked about where none of them is: those of a webhook that tells no reference. */
  readonly ids?: readonly string[];
}

/** The queue of hints between the ledger's stream and the provider. */
export interface HintQueue extends DeliveryQueue {
  /** All of them; throws when one was not taken. Sending one twice is harmless. */
  send(hints: readonly Hint[]): Promise<void>;
}

/** A hint that was set aside, as it was found. */
export interface DeadLetter {
  readonly text: string;
  readonly receiptHandle: string;
}

/** The hints that were set aside, for the command that applies them again. */
export interface DeadLetters {
  /** About how many there are. */
  count(): Promise<number>;
  /** Up to ten; those that are not put back show again after some minutes. */
  take(): Promise<readonly DeadLetter[]>;
  /** Into the queue first and out of here then: a death in between leaves it in both, which is harmless. */
  putBack(hint: DeadLetter): Promise<void>;
}
