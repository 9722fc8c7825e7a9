import type { Audit } from '../domain/batch.ts';
import type { Call, CallOutcome, ChunkFile, ChunkRecord } from '../domain/chunk.ts';
import type { Contradiction, Payout, PayoutStatus, Proof } from '../domain/payout.ts';
import type { PayoutTransition } from '../domain/payout-lifecycle.ts';
import type { Page } from './page.ts';

export interface ChunkContents {
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
  /** The batch is not `processing`, or its cancelation was requested. */
  | { readonly kind: 'stopped' };

/** What a move may set on a payout beside its status. */
export type PayoutChanges = Partial<Pick<Payout, 'reason' | 'disbursementId' | 'fee' | 'call' | 'absences' | 'heldBy'>>;

export type MovePayout =
  | { readonly kind: 'moved'; readonly payout: Payout }
  /** Its status was none the transition leaves from; `payout` is how it stands. */
  | { readonly kind: 'refused'; readonly payout: Payout };

export interface PayoutLedger {
  /**
   * Writes the payouts that are not there yet as `ready`, each with its reference, in transactions. A reference held
   * by another batch (or another row) makes that payout `rejected` with reason `duplicate_reference` and `heldBy`; the
   * others go on. Running twice changes nothing.
   */
  registerPayouts(chunk: ChunkFile, destinationHashes: ReadonlyMap<number, string>): Promise<void>;
  /** Strongly consistent: all payouts and calls of the chunk. Empty before registration. */
  readChunk(batchId: string, chunk: number): Promise<ChunkContents>;
  /**
   * One transaction: CALL#k must not exist, the batch must be `processing` without a requested cancelation, and each
   * row moves by the transition `claim`.
   */
  claimCall(call: NewCall): Promise<ClaimCall>;
  /** Once: conditional on the claim id and on no outcome. Returns false when an outcome was there. */
  recordCallOutcome(
    call: { readonly batchId: string; readonly chunk: number; readonly k: number; readonly claimId: string },
    outcome: CallOutcome,
  ): Promise<boolean>;
  /**
   * One conditional write made from the transition. A move that follows from what became of a call names that call, and
   * is refused once another one has claimed the payout: what is known of the first says nothing about the second. A
   * disbursement's id never takes the place of another: a move that brings one is refused where another is known. With
   * `audit` it is one transaction, which writes the batch's timeline too.
   */
  movePayout(
    payout: Pick<Payout, 'batchId' | 'chunk' | 'row'>,
    transition: PayoutTransition,
    changes?: PayoutChanges,
    of?: { readonly call?: number; readonly audit?: Audit },
  ): Promise<MovePayout>;
  /**
   * Counts one more proof of absence; conditional on the status being `submitting` or `unknown`, and on `call` and
   * `absences` as read.
   */
  countAbsence(payout: Payout): Promise<MovePayout>;
  /**
   * Adds one contradiction to those recorded, the status staying as it is: conditional on the status and the number of
   * contradictions as read. One transaction with a line of the batch's timeline. `refused`: how it then stands.
   */
  recordContradiction(payout: Payout, found: Omit<Contradiction, 'at'>): Promise<MovePayout>;
  /**
   * An operator has seen to all contradictions that are recorded: conditional on their number, and how many of them were
   * seen to, as read. One transaction with `audit` in the batch's timeline.
   */
  noteContradictions(payout: Payout, audit: Audit): Promise<MovePayout>;
  /** Once: conditional on no proof. */
  recordProof(payout: Pick<Payout, 'batchId' | 'chunk' | 'row'>, proof: Proof): Promise<void>;
  /**
   * Adds the payouts up again and writes the chunk's record by its version; retried until what was read is what stands.
   * Answers the record and the payouts it was made from.
   */
  refreshChunk(
    batchId: string,
    chunk: number,
  ): Promise<{ readonly record: ChunkRecord; readonly payouts: readonly Payout[] }>;
  /** All chunk records of a batch, in order. */
  listChunks(batchId: string): Promise<readonly ChunkRecord[]>;
  /** Payouts in order of chunk and row, optionally of one status, or those alone that the provider contradicts and nobody has seen to. */
  listPayouts(query: {
    readonly batchId: string;
    readonly chunks: number;
    readonly limit: number;
    readonly status?: PayoutStatus;
    readonly contradicted?: true;
    readonly cursor?: string;
  }): Promise<Page<Payout>>;
  getPayoutByReference(reference: string): Promise<Payout | undefined>;
  findPayoutByDisbursementId(disbursementId: string): Promise<Payout | undefined>;
  /** Which of these references are taken, and by which batch. Strongly consistent. */
  findReferences(references: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
