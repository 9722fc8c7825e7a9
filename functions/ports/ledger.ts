import type { FollowState } from '../domain/follow-state.ts';
import type { BatchLedger } from './batch-ledger.ts';
import type { FundsLedger } from './funds-ledger.ts';
import type { PayoutLedger } from './payout-ledger.ts';
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

/** A page of something, with an opaque cursor to the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

/** The whole ledger. Handlers name the part they need. */
export type Ledger = BatchLedger & PayoutLedger & FollowLedger & FundsLedger & WebhookLedger;
