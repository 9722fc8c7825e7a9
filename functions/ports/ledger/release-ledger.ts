import type { Batch, Release } from '../../domain/batch/batch.ts';
import type { MoneyByCurrency } from '../../domain/money/money.ts';

export interface ReleaseBatch {
  readonly release: Release;
  /** What the day had released when it was read; absent when the batch counted before. */
  readonly counted?: MoneyByCurrency;
  /** Batches that owe some of the same debts, and were not released when they were read. */
  readonly unreleased?: readonly string[];
}

export interface ReleaseLedger {
  /** What a day has released, without fees. Strongly consistent. */
  readReleased(day: string): Promise<MoneyByCurrency>;
  /**
   * One transaction: the batch is released as it was read, its amounts are added to what the day has released, and it begins to
   * disburse unless something is to be converted first. `changed` when any of this is not as read: its status and since when, no
   * cancellation, its funding plan, the day's sums, the batches that share debts with it, and which of them are released.
   * `unfunded` when the money of that plan is not set aside.
   */
  releaseBatch(batch: Batch, of: ReleaseBatch): Promise<'released' | 'unfunded' | 'changed'>;
}
