import type { Audit } from '../../domain/batch/batch.ts';
import type { Call, CallOutcome, ChunkRecord } from '../../domain/batch/chunk.ts';
import type { ChunkFile } from '../../domain/batch/chunk-file.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import type { EqualRefusals } from '../../domain/payout/equal-refusals.ts';
import type { FoundContradiction, Payout, Proof } from '../../domain/payout/payout.ts';
import type { PayoutStatus, PayoutTransition } from '../../domain/payout/payout-status.ts';
import type { Page } from './ledger.ts';

/** A payout's key in the ledger. */
export type PayoutId = Pick<Payout, 'batchId' | 'chunk' | 'row'>;

/** A chunk record, and the payouts that it counts. */
export type CountedChunk = Pick<ChunkContents, 'record' | 'payouts'>;

export interface ChunkContents {
  /** Read before the payouts and calls. */
  readonly record: ChunkRecord;
  /** In order of row. */
  readonly payouts: readonly Payout[];
  /** In order of k. */
  readonly calls: readonly Call[];
}

export type NewCall = Omit<Call, 'outcome'>;

export type ClaimCall =
  | { readonly kind: 'claimed' }
  /** CALL#k exists, or a row is no longer `ready`. Another run makes the POST, and the caller must not. */
  | { readonly kind: 'taken' }
  /** The batch is not `processing`, its cancellation was requested, or the chunk waits for the canary. */
  | { readonly kind: 'stopped' };

/** Fields that a move may set on a payout beside its status. */
export type PayoutChanges = Partial<Pick<Payout, 'reason' | 'disbursementId' | 'fee' | 'call' | 'heldBy'>>;

/** `refused`: a condition of the write failed, such as the status, the call or a count. */
export interface MovePayout {
  readonly kind: 'moved' | 'refused';
  /** The payout after the call. */
  readonly payout: Payout;
}

/** Filters of a list or a search. Without any, all payouts match. */
export interface WantedPayouts {
  readonly status?: PayoutStatus;
  /** Only payouts with a contradiction that nobody has noted. */
  readonly contradicted?: true;
  /** Only those with a transfer proof. */
  readonly proven?: true;
  readonly currency?: string;
  /** A decimal in any currency, compared as a number: `10.50` equals `10.5`. */
  readonly amount?: string;
  /** Prefix of the reference, in any letter case. */
  readonly referencePrefix?: string;
}

/** One page of a list or a search, optionally in one batch. */
interface PayoutSearch extends WantedPayouts {
  readonly limit: number;
  readonly batchId?: string;
  readonly cursor?: string;
}

export type WantedProgress =
  /**
   * At most this old and, when a change is known, read after `changedAt` (ISO 8601 UTC). Returns the stored sum when it meets
   * this. Otherwise adds up the records and stores the sum. Its reads are eventually consistent, so a sum may lack the last
   * second's changes: for display, or for a check that is repeated.
   */
  | { readonly atMostMs: number; readonly changedAt?: string }
  /** For decisions about money, or about allowed actions. Stores nothing. */
  | { readonly consistent: true };

export interface PayoutLedger {
  /**
   * Writes missing payouts as `ready`, each after its reference, in two conditional writes. If another batch (or another row)
   * holds a reference, the payout becomes `rejected` with reason `duplicate_reference` and `heldBy`. The others go on.
   * Idempotent. Returns the chunk after the call.
   *
   * @throws InvariantBroken when a stored payout differs from its row in reference, amount or destination, or the stored payouts
   * are not as many as the rows
   */
  registerPayouts(chunk: ChunkFile): Promise<ChunkContents>;
  /**
   * Reads the chunk's record, and then all its payouts and calls. Strongly consistent. Undefined until the whole chunk is
   * registered.
   */
  readChunk(batchId: string, chunk: number): Promise<ChunkContents | undefined>;
  /**
   * Writes the payouts' totals into the chunk's record, by the version read before them. `moved` are those the caller has moved
   * since. When a concurrent write wins, it adds up again from the new state. Returns the record and the payouts that it counts.
   *
   * @throws Error like refreshChunk
   */
  recount(contents: CountedChunk, moved?: readonly Payout[]): Promise<CountedChunk>;
  /**
   * One transaction. CALL#k must be new, the batch `processing` and not being canceled, and the chunk allowed by the canary. Each
   * row moves by `claim`, and changes as in domain/payout/claim.ts.
   *
   * @throws InvariantBroken when the call has no rows, a row twice, or more than 98
   */
  claimCall(call: NewCall): Promise<ClaimCall>;
  /**
   * Records the outcome once: conditional on the claim id and on no outcome. False when there was one.
   *
   * @throws InvariantBroken when the call has another claim id, or does not exist
   */
  recordCallOutcome(call: Pick<Call, 'batchId' | 'chunk' | 'k' | 'claimId'>, outcome: CallOutcome): Promise<boolean>;
  /**
   * Adds a refused call to the refusals with the same fingerprint (domain/payout/equal-refusals.ts) since a call in the currency
   * was last accepted. A single row counts as a row, several as a call. Counting the same call twice has no effect. Returns the
   * new count.
   */
  countRefusal(
    of: { readonly batchId: string; readonly currency: string; readonly fingerprint: string },
    call: Pick<Call, 'chunk' | 'k' | 'rows'>,
  ): Promise<EqualRefusals>;
  /** Clears the refusals after a call in the currency was accepted. */
  forgetRefusals(batchId: string, currency: string): Promise<void>;
  /**
   * Moves a payout in one conditional write made from the transition.
   *
   * A move that follows from a call's failure or silence names that call. It is refused once another call has claimed the payout,
   * because the first outcome proves nothing about the second. A disbursement id is never replaced: a move that brings another id
   * is refused. With `audit`, one transaction also writes the batch's timeline. A move to `on_hold` or `quarantined` also writes
   * its news. It is refused when the status has changed since this call read it.
   */
  movePayout(
    payout: PayoutId,
    transition: PayoutTransition,
    changes?: PayoutChanges,
    options?: { readonly call?: number | undefined; readonly audit?: Audit | undefined },
  ): Promise<MovePayout>;
  /** Counts one more proof of absence. Conditional on `submitting` or `unknown`, and on `call` and `absences` as read. */
  countAbsence(payout: Payout): Promise<MovePayout>;
  /**
   * Adds a contradiction without changing the status, and a line in the batch's timeline, in one transaction. Conditional on the
   * status and the number of contradictions as read. `refused` returns the payout as it is.
   */
  recordContradiction(payout: Payout, found: FoundContradiction): Promise<MovePayout>;
  /**
   * Counts the recorded contradictions of a batch's payouts that had ended unpaid, by the lines that are written with each. A line
   * without the payout's status counts too. Strongly consistent.
   */
  countUnpaidContradictions(batchId: string): Promise<number>;
  /**
   * Notes all recorded contradictions for an operator. Conditional on the number recorded and noted, as read. One transaction
   * with `audit` in the batch's timeline.
   */
  noteContradictions(payout: Payout, audit: Audit): Promise<MovePayout>;
  /**
   * Records the proof of a completed payout once: conditional on the status and on no proof. Returns the payout after the call.
   *
   * @throws InvariantBroken when a payout without a proof is not completed
   */
  recordProof(payout: PayoutId, proof: Proof): Promise<Payout>;
  /** Counts one more request that returned no proof. Conditional on no proof, and on `proofTries` as read. */
  countProofTry(payout: Payout): Promise<MovePayout>;
  /**
   * Adds up the payouts again and writes the chunk's record by its version. Starts over when another writer comes between read
   * and write. Undefined until the whole chunk is registered: its first record will count earlier moves too.
   *
   * @throws Error when others came between in 20 attempts
   */
  refreshChunk(batchId: string, chunk: number): Promise<ChunkRecord | undefined>;
  /** Lists all chunk records of a batch, in order. Strongly consistent. */
  listChunks(batchId: string): Promise<readonly ChunkRecord[]>;
  /** Returns the totals of a batch's chunk records. */
  readProgress(batchId: string, wanted: WantedProgress): Promise<Progress>;
  /** Lists matching payouts of a batch, in order of chunk and row. */
  listPayouts(query: PayoutSearch & { readonly batchId: string }): Promise<Page<Payout>>;
  /**
   * Finds matching payouts to one destination, newest batch first, optionally in one batch. Reads are bounded: a page may have
   * fewer than requested, even none, and still have a cursor. May be slightly stale.
   *
   * @param query with `formerHash`, the payouts that have it come last: they are older
   */
  findByDestination(
    query: PayoutSearch & { readonly destinationHash: string; readonly formerHash?: string },
  ): Promise<Page<Payout>>;
  /**
   * Finds matching payouts in one batch, or in all batches created up to `day` (UTC, YYYY-MM-DD), newest batch first. Reads
   * the chunks whose records show a possible match, until there are enough payouts. As bounded and stale as findByDestination.
   */
  findInBatches(query: PayoutSearch & { readonly day: string }): Promise<Page<Payout>>;
  /** Returns the payout that holds this reference. Undefined when none does, or while registration has not written it yet. */
  getPayoutByReference(reference: string): Promise<Payout | undefined>;
  /** Returns which of these references are taken, and by which payout. Strongly consistent, unless `mayBeOld`. */
  findReferences(
    references: readonly string[],
    options?: { readonly mayBeOld: boolean },
  ): Promise<ReadonlyMap<string, PayoutId>>;
  /**
   * Returns the payouts that exist, in no order. Strongly consistent, unless `mayBeOld`, which suffices before a conditional
   * write.
   */
  getPayouts(ids: readonly PayoutId[], options?: { readonly mayBeOld: boolean }): Promise<readonly Payout[]>;
  /** Returns all payouts of a chunk, in order of row. May be slightly stale. Costs as much as reading a dozen singly. */
  getPayoutsOf(batchId: string, chunk: number): Promise<readonly Payout[]>;
}
