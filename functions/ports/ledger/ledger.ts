import type { FollowState } from '../../domain/payout/follow-state.ts';
import type { Reconciliation } from '../../domain/payout/reconciliation.ts';
import type { BatchLedger } from './batch-ledger.ts';
import type { DebtLedger } from './debt-ledger.ts';
import type { EventLedger } from './event-ledger.ts';
import type { FundsLedger } from './funds-ledger.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderCheckLedger } from './provider-check.ts';
import type { ReleaseLedger } from './release-ledger.ts';
import type { WebhookLedger } from './webhook-ledger.ts';

/** State that a batch's sweeps leave for each other. */
export interface FollowLedger {
  /** Strongly consistent. Version 0 when nothing is stored yet. */
  readFollow(batchId: string): Promise<FollowState>;
  /** Conditional on the version as read. False when another sweep was faster: its state is as good. */
  writeFollow(state: FollowState): Promise<boolean>;
  /** Sets `endedRound`, which no sweep writes, unless a later round has ended. Repeated or late calls change nothing. */
  endRound(batchId: string, round: string): Promise<void>;
}

/** Comparisons of ended batches with the provider's lists. The first is written with the batch's end. */
export interface ReconcileLedger {
  /** Lists due comparisons, the longest overdue first, from an index. The index may lag, so read each before acting on it. */
  listDueReconciliations(): Promise<readonly Pick<Reconciliation, 'batchId' | 'dueAt'>[]>;
  /** Strongly consistent. Undefined once it is finished. */
  readReconciliation(of: Pick<Reconciliation, 'batchId' | 'dueAt'>): Promise<Reconciliation | undefined>;
  /** Stores its progress, unless it is finished. */
  keepReconciliation(reconciliation: Reconciliation): Promise<void>;
  /** Ends this comparison and schedules the next one, in one transaction. Repeated or late calls change nothing. */
  endReconciliation(reconciliation: Reconciliation, next?: Reconciliation): Promise<void>;
}

/** A page of items, with an opaque cursor to the next page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

/** The whole ledger. Handlers name only the part they need. */
export type Ledger = BatchLedger &
  ReleaseLedger &
  PayoutLedger &
  FollowLedger &
  ReconcileLedger &
  FundsLedger &
  WebhookLedger &
  DebtLedger &
  EventLedger &
  ProviderCheckLedger;
