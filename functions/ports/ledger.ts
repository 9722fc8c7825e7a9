import type { BatchLedger } from './batch-ledger.ts';
import type { FollowLedger } from './follow-ledger.ts';
import type { FundsLedger } from './funds-ledger.ts';
import type { PayoutLedger } from './payout-ledger.ts';
import type { WebhookLedger } from './webhook-ledger.ts';

/** The whole ledger. Handlers name the part they need. */
export type Ledger = BatchLedger & PayoutLedger & FollowLedger & FundsLedger & WebhookLedger;
