import * as z from 'zod';
import type { Money } from '../money/money.ts';
import { once } from '../once.ts';
import { counter, record } from '../records.ts';
import type { ShownDestination } from './destination.ts';
import { observedStatuses, payoutStatuses } from './payout-status.ts';

/** Which kind of provider call pays a row: fiat to a bank account, crypto to a wallet. */
export const rails = ['fiat', 'crypto'] as const;
export type Rail = (typeof rails)[number];
export const rail = once(() => z.enum(rails));

/** Explains a status: a stable code, and a sentence without personal data. */
export const storedReason = record(() => ({ code: z.string(), message: z.string() }));
export type Reason = z.infer<ReturnType<typeof storedReason>>;

/** Explains a payout's status. */
const storedPayoutReason = record(() => ({
  ...storedReason().unwrap().shape,
  /** The provider's own words, on one line, with the recipient's data removed. Never logged. */
  providerText: z.string().exactOptional(),
}));

/** An observation at the provider that contradicts the ledger and does not move the payout. Codes and ids only. */
const storedContradiction = record(() => ({
  code: z.string(),
  /** The provider's id of the contradicting disbursement: the payout's own, or another one. */
  disbursementId: z.string(),
  /** The provider's status of that disbursement. */
  observed: z.enum(observedStatuses),
  /** When it was first observed, ISO 8601 UTC. */
  at: z.string(),
}));
export type Contradiction = z.infer<ReturnType<typeof storedContradiction>>;

/** A transfer proof archived in S3. */
const storedProof = record(() => ({
  key: z.string(),
  /** Hex SHA-256 of the PDF's bytes. */
  sha256: z.string(),
  bytes: counter(),
}));
export type Proof = z.infer<ReturnType<typeof storedProof>>;

/** The fields of a payout that the ledger stores in the same form. */
export const payoutFields = () => ({
  batchId: z.string(),
  /** Number of the payout's chunk, from 1. */
  chunk: counter(),
  /** Row in the file, from 1, without the header. */
  row: counter(),
  reference: z.string(),
  rail: rail(),
  /** SHA-256 of the destination, for comparison with the provider's record. See hashDestination. */
  destinationHash: z.string(),
  status: z.enum(payoutStatuses),
  reason: storedPayoutReason().exactOptional(),
  /** The call (CALL#k) that last claimed the payout. */
  call: counter().exactOptional(),
  disbursementId: z.string().exactOptional(),
  /** Consecutive proofs that the provider does not know the reference. */
  absences: counter().exactOptional(),
  proof: storedProof().exactOptional(),
  /** Number of requests for its proof that returned none. */
  proofTries: counter().exactOptional(),
  /** The batch that holds the reference, when rejected as a duplicate. */
  heldBy: z.string().exactOptional(),
  /** Contradictions in the order of observation, each once. */
  contradictions: z.array(storedContradiction()).readonly().exactOptional(),
  /** Number of contradictions, from the first, that an operator has noted. */
  contradictionsNoted: counter().exactOptional(),
  /** When it reached its status, ISO 8601 UTC. Absent in payouts written before this field existed. */
  statusSince: z.string().exactOptional(),
  /** ISO 8601 UTC. */
  updatedAt: z.string(),
});

/** One row of a batch as the ledger holds it. Only the chunk file names the recipient: the ledger has a hash and a masked end. */
export interface Payout extends Readonly<z.infer<z.ZodObject<ReturnType<typeof payoutFields>>>> {
  readonly amount: Money;
  /** Absent in payouts registered before this field existed. */
  readonly destination?: ShownDestination;
  /** Fee charged by the provider, in the payout's currency. */
  readonly fee?: Money;
}

/** Replaces the payouts of one chunk by their moved versions. */
export const withMoved = (payouts: readonly Payout[], moved: readonly Payout[]): readonly Payout[] => {
  const byRow = new Map(moved.map((payout) => [payout.row, payout]));
  return payouts.map((payout) => byRow.get(payout.row) ?? payout);
};

/** The provider has a second disbursement with the payout's reference, under another id. */
export const usedTwiceCode = 'reference_used_twice';

/** The provider shows another end than the recorded one. */
export const changedAfterEndCode = 'changed_after_end';

/** True when the money of a completed payout came back, according to the provider. */
export const cameBack = ({ status, contradictions = [] }: Pick<Payout, 'status' | 'contradictions'>): boolean =>
  status === 'completed' && contradictions.some(({ code }) => code === changedAfterEndCode);

/** Timeline code of a contradiction. */
export const contradictedEvent = 'payout.contradicted';

/** A contradiction before it is recorded. */
export type FoundContradiction = Omit<Contradiction, 'at'>;

/** Describes a contradiction for the timeline. Codes and ids only. */
export const describeContradiction = ({ code, disbursementId, observed }: FoundContradiction): string =>
  `${code}: ${disbursementId} is ${observed}`;

/** Timeline text of a contradiction. */
export const contradictedDetail = (
  { reference, status }: Pick<Payout, 'reference' | 'status'>,
  found: FoundContradiction,
): string => `${reference} is ${status}; ${describeContradiction(found)}`;

/** Contradictions that nobody has noted. */
export const openContradictions = ({
  contradictions = [],
  contradictionsNoted = 0,
}: Pick<Payout, 'contradictions' | 'contradictionsNoted'>): readonly Contradiction[] =>
  contradictions.slice(contradictionsNoted);

/**
 * True when the contradiction is in the ledger already. A second disbursement is recorded once, because it passes through statuses
 * of its own. Of the payout's own, each status is recorded.
 */
export const isRecorded = (
  { contradictions = [] }: Pick<Payout, 'contradictions'>,
  { code, disbursementId, observed }: FoundContradiction,
): boolean =>
  contradictions
    .filter((recorded) => recorded.code === code && recorded.disbursementId === disbursementId)
    .some((recorded) => code === usedTwiceCode || recorded.observed === observed);

/** Identifies one payout among all batches, as a map key. */
export const payoutKey = ({ batchId, chunk, row }: Pick<Payout, 'batchId' | 'chunk' | 'row'>): string =>
  `${batchId} ${chunk} ${row}`;

export const byPayoutKey = (payouts: readonly Payout[]): ReadonlyMap<string, Payout> =>
  new Map(payouts.map((payout) => [payoutKey(payout), payout]));
