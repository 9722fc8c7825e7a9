import type { Audit } from '../../domain/batch/batch.ts';
import type { Call, CallOutcome, ChunkFile, ChunkRecord } from '../../domain/batch/chunk.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import type { FoundContradiction, Payout, Proof } from '../../domain/payout/payout.ts';
import type { PayoutStatus, PayoutTransition } from '../../domain/payout/payout-status.ts';
import type { EqualRefusals } from '../../domain/payout/refusals.ts';
import type { Page } from './ledger.ts';

/** Where a payout stands in the ledger. */
export type PayoutId = Pick<Payout, 'batchId' | 'chunk' | 'row'>;

/** A record, and the payouts that it adds up. */
export type CountedChunk = Pick<ChunkContents, 'record' | 'payouts'>;

export interface ChunkContents {
  /** As it was before payouts and calls were read. */
  readonly record: ChunkRecord;
  /** In order of row. */
  readonly payouts: readonly Payout[];
  /** In order of k. */
  readonly calls: readonly Call[];
}

export type NewCall = Omit<Call, 'claimedAt' | 'outcome'>;

export type ClaimCall =
  | { readonly kind: 'claimed' }
  /** CALL#k exists, or a row is no longer `ready`: whoever took it POSTs, the caller never does. */
  | { readonly kind: 'taken' }
  /** The batch is not `processing`, its cancellation was requested, or the chunk waits for its canary. */
  | { readonly kind: 'stopped' };

/** What a move may set on a payout beside its status. */
export type PayoutChanges = Partial<Pick<Payout, 'reason' | 'disbursementId' | 'fee' | 'call' | 'heldBy'>>;

/** `refused`: its status was none the transition leaves from. */
export interface MovePayout {
  readonly kind: 'moved' | 'refused';
  /** As it then stands. */
  readonly payout: Payout;
}

/** What a list or a search is narrowed by; all payouts where nothing is said. */
export interface WantedPayouts {
  readonly status?: PayoutStatus;
  /** Only those that the provider contradicts and nobody has seen to. */
  readonly contradicted?: true;
  /** Only those with a transfer proof. */
  readonly proven?: true;
  readonly currency?: string;
  /** A decimal, of whatever currency. Equal as numbers: `10.50` is `10.5`. */
  readonly amount?: string;
  /** What the reference begins with, in any letter case. */
  readonly referencePrefix?: string;
}

export type WantedProgress =
  /**
   * At most so old, and of after `changedAt` (ISO 8601 UTC) where something is known to have changed then. What is stored is
   * answered if it is; else the records are added up and the sum is stored. Reads that may be a moment old: for looking.
   */
  | { readonly atMostMs: number; readonly changedAt?: string }
  /** For what decides about money, or about what may be done. Stores nothing. */
  | { readonly consistent: true };

export interface PayoutLedger {
  /**
   * Writes the payouts that are not there yet as `ready`, each with its reference, in transactions. A reference held by another
   * batch (or another row) makes that payout `rejected` with reason `duplicate_reference` and `heldBy`; the others go on. Running
   * twice changes nothing. Answers the chunk as it then stands.
   */
  registerPayouts(chunk: ChunkFile, destinationHashes: ReadonlyMap<number, string>): Promise<ChunkContents>;
  /** Strongly consistent: the chunk's record, and after it all its payouts and calls. Undefined until all of it is registered. */
  readChunk(batchId: string, chunk: number): Promise<ChunkContents | undefined>;
  /**
   * Writes what the payouts add up to into the chunk's record, by the version that was read before them. `moved` are those that
   * the caller has moved since. Overtaken by another's writing, it adds up again from what then stands. Answers the record and
   * the payouts that it adds up.
   */
  recount(contents: CountedChunk, moved?: readonly Payout[]): Promise<CountedChunk>;
  /**
   * One transaction: CALL#k is new, the batch `processing` and not being canceled, its canary lets it, and each row moves by
   * `claim`.
   */
  claimCall(call: NewCall): Promise<ClaimCall>;
  /** Once: conditional on the claim id and on no outcome. Returns false when an outcome was there. */
  recordCallOutcome(call: Pick<Call, 'batchId' | 'chunk' | 'k' | 'claimId'>, outcome: CallOutcome): Promise<boolean>;
  /**
   * Adds what a call was refused to all that was refused in these words since a call of the currency was last accepted: the row,
   * where it was alone, or the call. Told twice it counts once. Answers how much it then is.
   */
  countRefusal(
    of: { readonly batchId: string; readonly currency: string; readonly words: string },
    call: Pick<Call, 'chunk' | 'k' | 'rows'>,
  ): Promise<EqualRefusals>;
  /** A call of the currency was accepted: what was refused before counts no more. */
  forgetRefusals(batchId: string, currency: string): Promise<void>;
  /**
   * One conditional write made from the transition. A move that follows from what became of a call names that call, and is
   * refused once another one has claimed the payout: what is known of the first says nothing about the second. A disbursement's
   * id never takes the place of another: a move that brings one is refused where another is known. With `audit` it is one
   * transaction, which writes the batch's timeline too.
   */
  movePayout(
    payout: PayoutId,
    transition: PayoutTransition,
    changes?: PayoutChanges,
    of?: { readonly call?: number | undefined; readonly audit?: Audit | undefined },
  ): Promise<MovePayout>;
  /** One more proof of absence: conditional on `submitting` or `unknown`, and on `call` and `absences` as read. */
  countAbsence(payout: Payout): Promise<MovePayout>;
  /**
   * Adds one contradiction to those recorded, the status staying as it is: conditional on the status and the number of
   * contradictions as read. One transaction with a line of the batch's timeline. `refused`: how it then stands.
   */
  recordContradiction(payout: Payout, found: FoundContradiction): Promise<MovePayout>;
  /**
   * An operator has seen to all contradictions that are recorded: conditional on their number, and how many of them were seen to,
   * as read. One transaction with `audit` in the batch's timeline.
   */
  noteContradictions(payout: Payout, audit: Audit): Promise<MovePayout>;
  /** Once: conditional on no proof. Answers the payout as it then stands. */
  recordProof(payout: PayoutId, proof: Proof): Promise<Payout>;
  /** One more time that the provider had no proof of it: conditional on `proofTries` as read. */
  countProofTry(payout: Payout): Promise<MovePayout>;
  /**
   * Adds the payouts up again and writes the chunk's record by its version; retried until what was read is what stands. Undefined
   * until all of the chunk is registered: its record will tell of what was moved before.
   */
  refreshChunk(batchId: string, chunk: number): Promise<ChunkRecord | undefined>;
  /** All chunk records of a batch, in order. Strongly consistent. */
  listChunks(batchId: string): Promise<readonly ChunkRecord[]>;
  /** What a batch's chunk records add up to: as of lately, or from a strongly consistent read of all of them. */
  readProgress(batchId: string, wanted: WantedProgress): Promise<Progress>;
  /** Payouts of a batch that are wanted, in order of chunk and row. */
  listPayouts(
    query: WantedPayouts & { readonly batchId: string; readonly limit: number; readonly cursor?: string },
  ): Promise<Page<Payout>>;
  /**
   * Payouts to one destination that are wanted, those of the newest batch first, optionally of one batch. Bounded: a page may
   * have fewer than asked for, even none, and go on. May be a moment old.
   */
  findByDestination(
    query: WantedPayouts & {
      readonly destinationHash: string;
      readonly limit: number;
      readonly batchId?: string;
      readonly cursor?: string;
    },
  ): Promise<Page<Payout>>;
  /**
   * Payouts that are wanted, of one batch, or of all that were created up to `day` (UTC, YYYY-MM-DD), the newest batch first.
   * Every payout is read until there are enough. Bounded and as old as the above.
   */
  findInBatches(
    query: WantedPayouts & {
      readonly day: string;
      readonly limit: number;
      readonly batchId?: string;
      readonly cursor?: string;
    },
  ): Promise<Page<Payout>>;
  /** Undefined too while its chunk is being registered: it is `ready` at the earliest when this finds it. */
  getPayoutByReference(reference: string): Promise<Payout | undefined>;
  /** Which of these references are taken, and by which payout. Strongly consistent, unless what is a moment old will do. */
  findReferences(
    references: readonly string[],
    of?: { readonly mayBeOld: boolean },
  ): Promise<ReadonlyMap<string, PayoutId>>;
  /**
   * The payouts that are there, in no order. Strongly consistent, unless what is a moment old will do, as for a conditional
   * write.
   */
  getPayouts(ids: readonly PayoutId[], of?: { readonly mayBeOld: boolean }): Promise<readonly Payout[]>;
  /** All payouts of a chunk, in order of row, which may be a moment old: at the price of a dozen that are read singly. */
  getPayoutsOf(batchId: string, chunk: number): Promise<readonly Payout[]>;
}
