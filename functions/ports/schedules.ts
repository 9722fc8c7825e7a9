/** What is to happen to a batch at a time that it was given. Each is a help: the watch finds what it did not bring about. */
export interface Schedules {
  /**
   * Has the batch looked at when its time comes (milliseconds since 1970), and once more if it was asked for twice. Harmless to
   * ask again.
   *
   * @param stateMachine ARN of the one that starts it
   */
  wakeAt(batchId: string, atMs: number, stateMachine: string): Promise<void>;
  /** Takes that back. Nothing to take back: nothing done. */
  forget(batchId: string): Promise<void>;
}
