import type { Reconciliation } from '../../domain/payout/reconciliation.ts';

/** Comparisons of ended batches with the provider's lists. The first is written with the batch's end. */
export interface ReconcileLedger {
  /** Lists due comparisons, the longest overdue first, from an index. The index may lag, so read each before acting on it. */
  listDueReconciliations(): Promise<readonly Pick<Reconciliation, 'batchId' | 'dueAt'>[]>;
  /** Strongly consistent. Undefined once it is finished. */
  readReconciliation(id: Pick<Reconciliation, 'batchId' | 'dueAt'>): Promise<Reconciliation | undefined>;
  /** Makes one more due, unless one of this batch is due at that time. */
  addReconciliation(due: Reconciliation): Promise<void>;
  /** Stores its progress, unless it is finished. */
  keepReconciliation(reconciliation: Reconciliation): Promise<void>;
  /** Ends this comparison and schedules the next one, in one transaction. Repeated or late calls change nothing. */
  endReconciliation(reconciliation: Reconciliation, next?: Reconciliation): Promise<void>;
}
