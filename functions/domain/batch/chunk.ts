import type { ChunkContents } from '../../ports/ledger/payout-ledger.ts';
import type { CallFailure } from '../../ports/provider.ts';
import type { Tallies } from '../money/tally.ts';
import type { PayoutStatusThat } from '../payout/payout-status.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { ChunkFile } from './chunk-file.ts';

/** The outcome of a call. Written once. */
export type CallOutcome =
  | { readonly kind: 'accepted' | 'not_sent' }
  /** `isUnconfirmed`: a single row was refused, in words that may concern more than this row. */
  | (Extract<CallFailure, { readonly kind: 'rejected' }> & { readonly isUnconfirmed?: true })
  | Exclude<CallFailure, { readonly kind: 'not_sent' | 'rejected' }>;

/** One POST that may move money. Recorded before it is made. */
export interface Call {
  readonly batchId: string;
  readonly chunk: number;
  /** From 1, without gaps. Creating CALL#k fails when it exists, so k is also the version of the chunk's submissions. */
  readonly k: number;
  readonly rows: readonly number[];
  /** SHA-256 of the request body. */
  readonly payloadHash: string;
  readonly claimId: string;
  /** ISO 8601 UTC. */
  readonly claimedAt: string;
  readonly outcome?: CallOutcome;
}

/** Statuses in which a payout waits for a person, and `ready` and `pending`, which need attention when they last. */
export const waitingStatuses = payoutStatusesThat('isTimed');
export type WaitingStatus = PayoutStatusThat<'isTimed'>;

/** How many of a chunk's payouts the provider contradicts. See Contradiction in payout.ts. */
export interface ContradictionTally {
  /** Recorded contradictions, acknowledged or not. */
  readonly recorded: number;
  /** Payouts with a contradiction that nobody has acknowledged. */
  readonly payouts: number;
  /** When the oldest unacknowledged one was recorded, ISO 8601 UTC. */
  readonly since?: string;
  /** Completed bank transfers whose money came back before they had a proof, so they never get one. Absent: none. */
  readonly withoutProof?: number;
}

/** The chunk's item in the ledger: totals of its payouts, written once per step. */
export interface ChunkRecord extends Omit<ChunkFile, 'payouts'> {
  readonly tallies: Tallies;
  /** Completed bank transfers whose proof is archived. */
  readonly proofs: number;
  /** Completed bank transfers whose proof the provider did not have in any of the allowed tries. Absent: none. */
  readonly proofsGivenUp?: number;
  /** Since when the oldest payout has been in each waiting status. Absent for a status without payouts. */
  readonly waitingSince: Partial<Record<WaitingStatus, string>>;
  /** When the most recent of the payouts on hold was put there, ISO 8601 UTC. Absent: none is on hold. */
  readonly lastHeldAt?: string;
  readonly contradictions: ContradictionTally;
  /** When it was registered, ISO 8601 UTC. */
  readonly registeredAt: string;
  readonly version: number;
}

/** The chunk's next call. `k` is the number of calls so far plus one, so two concurrent decisions collide. */
export type NextCall = Pick<Call, 'k' | 'rows'>;

/**
 * Decides the next call of a chunk from the ledger. Undefined when no payout is `ready`. Payouts of a refused call go out in
 * halves of it, so the faulty row is found in log2(rows) rounds. Payouts never called, or whose call created nothing, go out
 * together.
 */
export const decideNextCall = ({ payouts, calls }: ChunkContents, payoutsPerCall: number): NextCall | undefined => {
  const ready = payouts.filter((payout) => payout.status === 'ready');
  const [first] = ready;
  if (first === undefined) return undefined;
  const lastCall = calls.find((call) => call.k === first.call);
  const size = lastCall?.outcome?.kind === 'rejected' ? Math.ceil(lastCall.rows.length / 2) : payoutsPerCall;
  const together = ready.filter((payout) => payout.call === first.call);
  const rows = together.slice(0, Math.min(size, payoutsPerCall)).map((payout) => payout.row);
  return { k: calls.length + 1, rows };
};
