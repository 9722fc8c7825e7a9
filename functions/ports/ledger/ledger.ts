import type { BatchLedger } from './batch-ledger.ts';
import type { DebtLedger } from './debt-ledger.ts';
import type { EventLedger } from './event-ledger.ts';
import type { FollowLedger } from './follow-ledger.ts';
import type { FundsLedger } from './funds-ledger.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { ProviderCheckLedger } from './provider-check-ledger.ts';
import type { ReconcileLedger } from './reconcile-ledger.ts';
import type { ReleaseLedger } from './release-ledger.ts';
import type { WebhookLedger } from './webhook-ledger.ts';

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
