import type { Batch, Release } from '../domain/batch.ts';

export interface ReleaseBatch {
  readonly release: Release;
  /** What the day had released when it was read, by currency; absent when the batch counted before. */
  readonly counted?: ReadonlyMap<string, string>;
}

export interface ReleaseLedger {
  /** What a day has released, by currency: exact decimals without fees. Strongly consistent. */
  readReleased(day: string): Promise<ReadonlyMap<string, string>>;
  /**
   * One transaction: the batch is released as it was read, its amounts are added to what the day has released, and it begins
   * to disburse unless something is to be converted first. Conditional on its status and since when, no cancellation, its
   * funding plan as read, the money of that plan being set aside, and the day's sums as read. False when any of it has changed: look again.
   */
  releaseBatch(batch: Batch, of: ReleaseBatch): Promise<boolean>;
}
