import * as z from 'zod';
import type { Call, ChunkRecord, ContradictionTally } from '../domain/chunk.ts';
import { waitingStatuses } from '../domain/chunk.ts';
import type { Contradiction, Payout, Proof, Reason } from '../domain/payout.ts';
import { payoutStatuses } from '../domain/payout.ts';
import { observedStatuses } from '../domain/payout-lifecycle.ts';
import { decimalText } from './decimal-text.ts';
import type { Key } from './keys.ts';
import { keys } from './keys.ts';
import { reading } from './reading.ts';

const rail = z.enum(['fiat', 'crypto']);
const counter = z.int().nonnegative();
const reason: z.ZodType<Reason> = z.object({ code: z.string(), message: z.string() });
const proof: z.ZodType<Proof> = z.object({ key: z.string(), sha256: z.string(), bytes: counter });

const contradiction: z.ZodType<Contradiction> = z.object({
  code: z.string(),
  disbursementId: z.string(),
  observed: z.enum(observedStatuses),
  at: z.string(),
});

const payout: z.ZodType<Payout> = z.object({
  batchId: z.string(),
  chunk: counter,
  row: counter,
  reference: z.string(),
  rail,
  currency: z.string(),
  amount: decimalText,
  destinationHash: z.string(),
  status: z.enum(payoutStatuses),
  reason: reason.exactOptional(),
  call: counter.exactOptional(),
  disbursementId: z.string().exactOptional(),
  fee: decimalText.exactOptional(),
  absences: counter.exactOptional(),
  proof: proof.exactOptional(),
  heldBy: z.string().exactOptional(),
  contradictions: z.array(contradiction).exactOptional(),
  contradictionsNoted: counter.exactOptional(),
  statusSince: z.string().exactOptional(),
  updatedAt: z.string(),
});

export const readPayout = reading('payout', payout);
export const payoutItem = (of: Payout): Key & Payout => ({ ...keys.payout(of.batchId, of.chunk, of.row), ...of });

/** Who holds a reference. */
export interface ReferenceHolder {
  readonly batchId: string;
  readonly chunk: number;
  readonly row: number;
}

const referenceHolder: z.ZodType<ReferenceHolder> = z.object({ batchId: z.string(), chunk: counter, row: counter });
export const readReferenceHolder = reading('reference', referenceHolder);
export const referenceItem = (reference: string, { batchId, chunk, row }: ReferenceHolder): Key & ReferenceHolder => ({
  ...keys.reference(reference),
  batchId,
  chunk,
  row,
});

const call: z.ZodType<Call> = z.object({
  batchId: z.string(),
  chunk: counter,
  k: counter,
  rows: z.array(counter),
  payloadHash: z.string(),
  claimId: z.string(),
  claimedAt: z.string(),
  outcome: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('accepted') }),
      z.object({ kind: z.literal('not_sent') }),
      z.object({ kind: z.literal('rejected'), message: z.string() }),
      z.object({ kind: z.literal('halted') }),
      z.object({ kind: z.literal('unknown'), cause: z.string() }),
    ])
    .exactOptional(),
});

export const readCall = reading('call', call);
export const callItem = (of: Call): Key & Call => ({ ...keys.call(of.batchId, of.chunk, of.k), ...of });

const tally = z.object({ count: counter, amount: decimalText, fee: decimalText });

const contradictionTally: z.ZodType<ContradictionTally> = z.object({
  recorded: counter,
  payouts: counter,
  since: z.string().exactOptional(),
  withoutProof: counter.exactOptional(),
});

const chunkRecord: z.ZodType<ChunkRecord> = z.object({
  batchId: z.string(),
  chunk: counter,
  rail,
  currency: z.string(),
  tallies: z.partialRecord(z.enum(payoutStatuses), tally),
  proofs: counter,
  // Records written before these were kept have none: what they say is then what nobody has yet added up.
  waitingSince: z.partialRecord(z.enum(waitingStatuses), z.string()).default({}),
  contradictions: contradictionTally.default({ recorded: 0, payouts: 0 }),
  registeredAt: z.string(),
  version: counter,
});

export const readChunkRecord = reading('chunk', chunkRecord);
export const chunkItem = (of: ChunkRecord): Key & ChunkRecord => ({ ...keys.chunk(of.batchId, of.chunk), ...of });
