/** A queue whose messages wait between attempts, and go to a dead-letter queue for a person when they cannot be processed. */
export interface DeliveryQueue {
  /** Redelivers this message after this many seconds. */
  hide(receiptHandle: string, seconds: number): Promise<void>;
  /** Moves a message to the dead-letter queue, because another automatic attempt is useless. */
  setAside(text: string): Promise<void>;
}
