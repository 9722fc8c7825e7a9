/** Wakes batches at given times. This is only a help: the watch also finds batches whose time has come. */
export interface Schedules {
  /**
   * Has the batch checked at this time (milliseconds since 1970), or soon if it has passed. While that check is pending, another
   * request changes nothing. After it, a request makes one more check, which is harmless.
   *
   * @param stateMachine ARN of the state machine that starts it
   */
  wakeAt(batchId: string, atMs: number, stateMachine: string): Promise<void>;
  /** Deletes the schedule. Does nothing when there is none. */
  forget(batchId: string): Promise<void>;
}
