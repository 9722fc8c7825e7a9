import type { DebtBucket } from '../../domain/payout/debts.ts';

/** Debts of one bucket that a run of planning another batch wrote down. */
export interface BatchDebts {
  readonly batchId: string;
  readonly debts: Uint32Array;
  readonly plannedAt: string;
  /** Begin of the days that were asked for. What is older is kept for batches that may be paying still. */
  readonly since: string;
}

export interface DebtLedger {
  /**
   * Writes down the debts of a batch, for the days given. Under the run's id: what a run that was given up writes late stands
   * beside what the recorded plan says, and its places lead nowhere.
   */
  recordDebts(batchId: string, runId: string, buckets: readonly DebtBucket[], days: number): Promise<void>;
  /** Notes on the batch, and on each of the others, that they owe some of the same debts. Called before its plan is recorded. */
  noteSharedDebts(batchId: string, others: readonly string[]): Promise<void>;
  /**
   * Those of a bucket that are kept, of all batches. Strongly consistent: of two that write and then read, one finds the other.
   */
  readDebts(of: Pick<DebtBucket, 'bits' | 'bucket'>, days: number): AsyncIterable<BatchDebts>;
}
