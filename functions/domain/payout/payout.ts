import type { Money } from '../money/money.ts';
import type { ShownDestination } from './destination.ts';
import type { ObservedStatus, PayoutStatus } from './payout-status.ts';

/** Which kind of provider call pays a row: fiat to a bank account, crypto to a wallet. */
export const rails = ['fiat', 'crypto'] as const;
export type Rail = (typeof rails)[number];

/** Why a payout is in its status: a stable code and a sentence without personal data. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

/** Why a payout is in its status. */
export interface PayoutReason extends Reason {
  /** What the provider says of it in its own words, on one line, cleaned of what it tells of the recipient. Never logged. */
  readonly providerText?: string;
}

/** What the provider shows against the ledger, where no move of the payout follows from it. Codes and ids only. */
export interface Contradiction {
  readonly code: string;
  /** The disbursement that contradicts, by the provider's id: the payout's own, or another one. */
  readonly disbursementId: string;
  /** What the provider said of that disbursement. */
  readonly observed: ObservedStatus;
  /** When it was first seen, ISO 8601 UTC. */
  readonly at: string;
}

/** A transfer proof archived in S3. */
export interface Proof {
  readonly key: string;
  /** Hex SHA-256 of the PDF's bytes. */
  readonly sha256: string;
  readonly bytes: number;
}

/** One row of a batch as the ledger holds it. Who is paid stands in the chunk's file: here are a hash and a masked end. */
export interface Payout {
  readonly batchId: string;
  /** Number of the chunk that looks after the payout, from 1. */
  readonly chunk: number;
  /** Row of the payout in the file, from 1, the header not counted. */
  readonly row: number;
  readonly reference: string;
  readonly rail: Rail;
  readonly amount: Money;
  /** SHA-256 of the destination, to compare with what the provider says. See hashDestination. */
  readonly destinationHash: string;
  /** Absent of payouts registered before this was kept. */
  readonly destination?: ShownDestination;
  readonly status: PayoutStatus;
  readonly reason?: PayoutReason;
  /** The call (CALL#k) that last claimed the payout. */
  readonly call?: number;
  readonly disbursementId?: string;
  /** Fee that the provider charged, in the payout's currency. */
  readonly fee?: Money;
  /** Consecutive proofs that the provider does not know the reference. */
  readonly absences?: number;
  readonly proof?: Proof;
  /** How often the provider was asked for its proof in vain. */
  readonly proofTries?: number;
  /** The batch that holds the reference, when rejected as a duplicate. */
  readonly heldBy?: string;
  /** What contradicts it, in the order it was seen; each once. */
  readonly contradictions?: readonly Contradiction[];
  /** How many of these, from the first, an operator has seen to. */
  readonly contradictionsNoted?: number;
  /** When it came to its status, ISO 8601 UTC. Absent of payouts written before this was kept. */
  readonly statusSince?: string;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/** Payouts of one chunk, those that were moved as they then stand. */
export const withMoved = (payouts: readonly Payout[], moved: readonly Payout[]): readonly Payout[] => {
  const byRow = new Map(moved.map((payout) => [payout.row, payout]));
  return payouts.map((payout) => byRow.get(payout.row) ?? payout);
};

/** The provider holds a second disbursement, under another id, with the payout's reference. */
export const usedTwiceCode = 'reference_used_twice';

/** The provider tells another end of the payout than is recorded. */
export const changedAfterEndCode = 'changed_after_end';

/** True of a completed payout whose money the provider says came back. */
export const cameBack = ({ status, contradictions = [] }: Pick<Payout, 'status' | 'contradictions'>): boolean =>
  status === 'completed' && contradictions.some(({ code }) => code === changedAfterEndCode);

/** Code of the timeline's line of a contradiction. */
export const contradictedEvent = 'payout.contradicted';

/** What the provider shows against a payout, before it is recorded. */
export type FoundContradiction = Omit<Contradiction, 'at'>;

/** For the timeline: codes and ids alone. */
export const describeContradiction = ({ code, disbursementId, observed }: FoundContradiction): string =>
  `${code}: ${disbursementId} is ${observed}`;

/** What the timeline's line of a contradiction says. */
export const contradictedDetail = (
  { reference, status }: Pick<Payout, 'reference' | 'status'>,
  found: FoundContradiction,
): string => `${reference} is ${status}; ${describeContradiction(found)}`;

/** Contradictions that nobody has seen to. */
export const openContradictions = ({
  contradictions = [],
  contradictionsNoted = 0,
}: Pick<Payout, 'contradictions' | 'contradictionsNoted'>): readonly Contradiction[] =>
  contradictions.slice(contradictionsNoted);

/** A second disbursement goes through statuses of its own, and is told once; of the payout's own each word is news. */
const isSame = (one: FoundContradiction, other: FoundContradiction): boolean =>
  one.code === other.code &&
  one.disbursementId === other.disbursementId &&
  (one.code === usedTwiceCode || one.observed === other.observed);

export const isRecorded = (
  { contradictions = [] }: Pick<Payout, 'contradictions'>,
  found: FoundContradiction,
): boolean => contradictions.some((recorded) => isSame(recorded, found));

/** Tells one payout of all batches from another: the key of a map. */
export const payoutKey = ({ batchId, chunk, row }: Pick<Payout, 'batchId' | 'chunk' | 'row'>): string =>
  `${batchId} ${chunk} ${row}`;
