import { hash } from 'node:crypto';
import type { ChunkContents } from '../../ports/ledger/payout-ledger.ts';
import type { CallFailure } from '../../ports/provider.ts';
import type { Tallies } from '../money/tally.ts';
import type { PayoutStatusThat } from '../payout/payout-status.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';
import type { ChunkFile, Recipient } from './chunk-file.ts';

/** What became of a call. Written once. */
export type CallOutcome =
  | { readonly kind: 'accepted' | 'not_sent' }
  /** `isUnconfirmed`: the refusal of a row alone, in words that may be about more than the row. */
  | (Extract<CallFailure, { readonly kind: 'rejected' }> & { readonly isUnconfirmed?: true })
  | Exclude<CallFailure, { readonly kind: 'not_sent' | 'rejected' }>;

/** One POST that may move money: written before it is made. */
export interface Call {
  readonly batchId: string;
  readonly chunk: number;
  /** From 1, gapless: creating CALL#k fails when it exists, so k is also the version of the chunk's submissions. */
  readonly k: number;
  readonly rows: readonly number[];
  /** SHA-256 of the request body. */
  readonly payloadHash: string;
  readonly claimId: string;
  /** ISO 8601 UTC. */
  readonly claimedAt: string;
  readonly outcome?: CallOutcome;
}

/** Statuses in which a payout waits for a person, or makes one wonder: `ready` and `pending` when they last. */
export const waitingStatuses = payoutStatusesThat('isTimed');
export type WaitingStatus = PayoutStatusThat<'isTimed'>;

/** How many of a chunk's payouts the provider contradicts: see contradiction.ts. */
export interface ContradictionTally {
  /** Contradictions recorded, seen to or not. */
  readonly recorded: number;
  /** Payouts with one that nobody has seen to. */
  readonly payouts: number;
  /** When the oldest of those was recorded, ISO 8601 UTC. */
  readonly since?: string;
  /** Completed bank transfers without a proof whose money came back, so that none is to be had; absent: none. */
  readonly withoutProof?: number;
}

/** The chunk's item in the ledger: what its payouts add up to, written once a step. */
export interface ChunkRecord extends Omit<ChunkFile, 'payouts'> {
  readonly tallies: Tallies;
  /** Completed bank transfers whose proof is archived. */
  readonly proofs: number;
  /** Completed bank transfers whose proof the provider did not have as often as it was asked; absent: none. */
  readonly proofsGivenUp?: number;
  /** Since when the oldest payout in each status that waits for a person is in it; only where there is one. */
  readonly waitingSince: Partial<Record<WaitingStatus, string>>;
  /** When the newest of the payouts on hold was put so, ISO 8601 UTC; absent: none is. */
  readonly lastHeldAt?: string;
  readonly contradictions: ContradictionTally;
  /** When it was registered, ISO 8601 UTC. */
  readonly registeredAt: string;
  readonly version: number;
}

/**
 * SHA-256 (hex) of a destination, so that what the provider says can be compared with the file without the ledger
 * knowing an account number. A bank is told by its code and account number: the provider may write names its own way.
 * Wallet addresses keep their letter case, since on some networks it carries meaning; where it carries none but a checksum
 * (`0x` and 40 hexadecimal digits, ERC-55) the provider may write it its own way too.
 */
export const hashDestination = (recipient: Recipient): string => {
  switch (recipient.kind) {
    case 'recipientId':
      return hash('sha256', `recipientId\n${recipient.recipientId}`);
    case 'bank':
      return hash('sha256', `bank\n${recipient.bankCode}\n${recipient.accountNumber}`);
    case 'wallet':
      return hash('sha256', `wallet\n${sameLetterCase(recipient.walletAddress)}`);
  }
};

const sameLetterCase = (walletAddress: string): string =>
  /^0x[0-9a-f]{40}$/i.test(walletAddress) ? walletAddress.toLowerCase() : walletAddress;

/** The call a chunk should make next. `k` is the number of calls so far plus one: two who decide this at once collide. */
export type NextCall = Pick<Call, 'k' | 'rows'>;

/**
 * Decides the next call of a chunk from what the ledger says, or undefined when no payout is `ready`. Payouts that
 * were in a call the provider refused go out in halves of it, so that the row at fault is found in log2(rows) rounds;
 * payouts never called, or whose call made nothing, go out together.
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
