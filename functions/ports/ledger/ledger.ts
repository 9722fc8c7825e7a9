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

/** What a batch's sweeps leave for each other. */
export interface FollowLedger {
  /** Strongly consistent; version 0 where nothing is kept yet. */
  readFollow(batchId: string): Promise<FollowState>;
  /** Conditional on the version as read. False when another sweep was quicker: its state is as good. */
  writeFollow(state: FollowState): Promise<boolean>;
  /** Sets `endedRound`, which no sweep writes, unless a later round has ended. Saying it twice, or late, changes nothing. */
  endRound(batchId: string, round: string): Promise<void>;
}

/** Comparisons of ended batches with the provider's lists. The first is written with the batch's end. */
export interface ReconcileLedger {
  /** Those that are due by now, the longest due first, as an index has them: each is read before it is acted on. */
  listDueReconciliations(): Promise<readonly Pick<Reconciliation, 'batchId' | 'dueAt'>[]>;
  /** Strongly consistent; undefined once it is over. */
  readReconciliation(of: Pick<Reconciliation, 'batchId' | 'dueAt'>): Promise<Reconciliation | undefined>;
  /** How far it has come, unless it is over. */
  keepReconciliation(reconciliation: Reconciliation): Promise<void>;
  /** One transaction: this one is over, and the next one is due. Saying it twice, or late, changes nothing. */
  endReconciliation(reconciliation: Reconciliation, next?: Reconciliation): Promise<void>;
}

/** A page of something, with an opaque cursor to the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

/** The whole ledger. Handlers name the part they need. */
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
