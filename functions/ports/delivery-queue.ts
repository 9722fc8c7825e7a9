/** A queue whose messages wait between tries, and are set aside for a person when they cannot be done. */
export interface DeliveryQueue {
  /** The queue hands this message over again after so many seconds. */
  hide(receiptHandle: string, seconds: number): Promise<void>;
  /** Keeps it for a person: another try by itself is of no use. */
  setAside(text: string): Promise<void>;
}
