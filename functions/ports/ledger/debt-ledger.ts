import type { DebtBucket } from '../../domain/payout/debts.ts';

/** Debts in one bucket, recorded when another batch was planned. */
export interface BatchDebts {
  readonly batchId: string;
  readonly debts: Uint32Array;
  readonly plannedAt: string;
  /** Start of the requested days. Older debts are kept for batches that may still be paying. */
  readonly since: string;
}

export interface DebtLedger {
  /**
   * Records a batch's debts until this time, ISO 8601, under the run's id. An abandoned run may write late. Its debts then lie
   * beside those of the recorded plan, and their places match no payout.
   */
  recordDebts(batchId: string, runId: string, buckets: readonly DebtBucket[], keptUntil: string): Promise<void>;
  /** Notes on the batch and on each of the others that they share debts. Called before the batch's plan is recorded. */
  noteSharedDebts(batchId: string, others: readonly string[]): Promise<void>;
  /**
   * Reads the kept debts of a bucket, of all batches. Strongly consistent: when two batches each write and then read, at least
   * one finds the other.
   */
  readDebts(bucket: Pick<DebtBucket, 'bits' | 'bucket'>, days: number): AsyncIterable<BatchDebts>;
}
