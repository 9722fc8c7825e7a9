import type { Batch, Release } from '../../domain/batch/batch.ts';
import type { MoneyByCurrency } from '../../domain/money/money-by-currency.ts';

export interface ReleaseRequest {
  readonly release: Release;
  /** The day's released amounts as read. Absent when the batch was already counted. */
  readonly counted?: MoneyByCurrency;
  /** Batches that owe some of the same debts, and were not released when read. */
  readonly unreleased?: readonly string[];
}

export interface ReleaseLedger {
  /** Returns the amounts that a day has released, without fees. Strongly consistent. */
  readReleased(day: string): Promise<MoneyByCurrency>;
  /**
   * Releases the batch as read, in one transaction: adds its amounts to the day's released amounts, and starts disbursing unless
   * a conversion comes first.
   *
   * `changed`: something is no longer as read. That may be the batch's status and its time, its cancellation or its funding
   * plan. It may also be the day's amounts, the batches that share debts, or their releases. `unfunded`: the plan's money is
   * not reserved.
   */
  releaseBatch(batch: Batch, request: ReleaseRequest): Promise<'released' | 'unfunded' | 'changed'>;
}
