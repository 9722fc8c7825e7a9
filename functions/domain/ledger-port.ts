import type { Audit, Batch, BatchEvent, BatchMode, BatchStatus, Conversion, InvalidRows, PinnedFile } from './batch.ts';
import type { BatchTransition } from './batch-lifecycle.ts';
import type { Call, CallOutcome, ChunkFile, ChunkRecord } from './chunk.ts';
import type { Contradiction, Payout, PayoutStatus, Proof } from './payout.ts';
import type { PayoutTransition } from './payout-lifecycle.ts';

/** A page of something, with an opaque cursor to the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

export interface NewBatch {
  readonly batchId: string;
  readonly mode: BatchMode;
  readonly invalidRows: InvalidRows;
  readonly allowSameFile: boolean;
  readonly file: PinnedFile;
  readonly createdBy: string;
  /** Caller's Idempotency-Key; unique per caller. */
  readonly idempotencyKey: string;
  /** SHA-256 of the request's meaning: the same key with another request is refused. */
  readonly requestHash: string;
}

export type CreateBatch =
  | { readonly kind: 'created'; readonly batch: Batch }
  /** The same key and request came before: that batch is the answer. */
  | { readonly kind: 'repeated'; readonly batch: Batch }
  /** The key was used for another request. */
  | { readonly kind: 'key_reused'; readonly batchId: string }
  /** The file version is already being disbursed (or was) by another batch, and allowSameFile is not set. */
  | { readonly kind: 'same_file'; readonly batchId: string };

/** What came of an earlier start under the same key; undefined when there was none. */
export type FindStart = Extract<CreateBatch, { readonly kind: 'repeated' | 'key_reused' }> | undefined;

/** What a step may set on a batch beside its status. `null` removes the attribute. */
export type BatchChanges = {
  readonly [Field in
    | 'reason'
    | 'resumeTo'
    | 'plan'
    | 'fees'
    | 'funding'
    | 'awaitingFundsSince'
    | 'report']?: NonNullable<Batch[Field]> | null;
} & {
  /** The execution of this number is over: refused once another has begun. */
  readonly endedExecution?: number;
  /** The `statusSince` that was read of the batch: refused when it has left its status since, even if it came back to it. */
  readonly leavingSince?: string;
};

export type MoveBatch =
  | { readonly kind: 'moved'; readonly batch: Batch }
  /** The status was none the transition leaves from, or not the one that was read, or the execution not the last; `batch` is how it stands. */
  | { readonly kind: 'refused'; readonly batch: Batch };

export interface BatchLedger {
  /**
   * One transaction: the batch, its idempotency key, and (mode disburse) the mark of the file version. The mark of a
   * batch that ends as validation_failed is removed, since nothing was paid from the file.
   */
  createBatch(newBatch: NewBatch): Promise<CreateBatch>;
  /** What createBatch would answer for the key, where there is no file to create a batch with any more. Strongly consistent. */
  findStart(start: Pick<NewBatch, 'createdBy' | 'idempotencyKey' | 'requestHash'>): Promise<FindStart>;
  /** Strongly consistent. */
  getBatch(batchId: string): Promise<Batch | undefined>;
  /** Newest first, walking back from `day` (UTC, YYYY-MM-DD) at most 31 days a call. */
  listBatches(query: {
    readonly day: string;
    readonly limit: number;
    readonly cursor?: string;
    readonly status?: BatchStatus;
  }): Promise<Page<Batch>>;
  /** The batch's status, changes and one event, in one transaction conditional on the status. */
  moveBatch(
    batchId: string,
    transition: BatchTransition,
    by: string,
    changes?: BatchChanges,
    detail?: string,
    note?: string,
  ): Promise<MoveBatch>;
  /** Changes without a move, conditional on the status being one of `whileStatus` and, for `plan`, on no plan being recorded. */
  amendBatch(batchId: string, whileStatus: readonly BatchStatus[], changes: BatchChanges): Promise<MoveBatch>;
  /** Sets cancelRequestedAt once, unless the batch has ended; one event. */
  requestCancel(batchId: string, by: string, note?: string): Promise<MoveBatch>;
  /** Counts one more execution after the n-th, which must be over (conditional on `executions`); clears executionEnded. */
  beginExecution(batchId: string, executions: number, by: string, note?: string): Promise<MoveBatch>;
  /** In order of time. */
  listEvents(batchId: string): Promise<readonly BatchEvent[]>;
}

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

/** Money of one currency that running batches have set aside. */
export interface FundsRecord {
  readonly currency: string;
  /** 0 before the first reservation. */
  readonly version: number;
  readonly reservations: readonly { readonly batchId: string; readonly amount: string }[];
}

export type ClaimConversion =
  | { readonly kind: 'claimed' }
  /** This conversion was claimed before: it is looked into, never POSTed again. */
  | { readonly kind: 'taken'; readonly conversion: Conversion }
  | { readonly kind: 'stopped' };

/** Who holds the treasury lock of a currency pair: see conversion-lock.ts. */
export interface PairLock {
  readonly inputCurrency: string;
  readonly outputCurrency: string;
  readonly holder: string;
  /** When the holder took it last, ISO 8601 UTC. */
  readonly lockedAt: string;
}

export interface FundsLedger {
  /** Strongly consistent. */
  readFunds(currencies: readonly string[]): Promise<readonly FundsRecord[]>;
  /**
   * One transaction over all currencies: replaces the batch's reservation in each by the amount given (absent or `0`
   * removes it), conditional on the versions in `read`; whoever sets money aside must also be a batch that is being funded
   * (`validating` or `awaiting_funds`, no cancelation requested), and so must whoever gives it back with `whileFunded`. False
   * when another batch changed a version, or the batch moved on: read again.
   */
  reserve(
    batchId: string,
    read: readonly FundsRecord[],
    amounts: ReadonlyMap<string, string>,
    of?: { readonly whileFunded?: boolean },
  ): Promise<boolean>;
  /** The treasury lock of a currency pair. True when the holder has it now, also when it had it before. */
  lockPair(inputCurrency: string, outputCurrency: string, holder: string): Promise<boolean>;
  /** Only the holder releases. */
  unlockPair(inputCurrency: string, outputCurrency: string, holder: string): Promise<void>;
  /**
   * Releases the lock of a conversion that was not claimed, one transaction: the lock is held for it, and CONVERSION#n does not
   * exist. Two runs of a batch hold the lock together, and who gives up must not release what the other claimed under.
   */
  unlockUnclaimedPair(conversion: Pick<Conversion, 'batchId' | 'n' | 'planned'>): Promise<void>;
  /** Every lock that is held. Strongly consistent. */
  listPairLocks(): Promise<readonly PairLock[]>;
  /** Takes a lock from a holder that is gone, conditional on holder and `lockedAt` as read. False when it changed since. */
  breakPairLock(lock: PairLock): Promise<boolean>;
  /**
   * One transaction: CONVERSION#n must not exist, the batch must be one that is being funded (`validating` or `awaiting_funds`, no
   * cancelation requested), and the pair must be locked for this conversion.
   */
  claimConversion(conversion: Conversion): Promise<ClaimConversion>;
  /** Conditional on the claim id and on the status being one of `from`; `audit` is written with it. False when it was not. */
  recordConversion(conversion: Conversion, from: readonly Conversion['status'][], audit?: Audit): Promise<boolean>;
  /** In order of n. */
  listConversions(batchId: string): Promise<readonly Conversion[]>;
}

/** A webhook as it arrived. */
export interface ArrivedWebhook {
  /** Hex SHA-256 of the body. */
  readonly hash: string;
  readonly body: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  /** The sender's id of the message, where a signature vouches for it: only then does a repetition count as one. */
  readonly signedId?: string;
}

export type BeginLookup =
  /** The caller asks the provider now; nobody else does within the window. */
  | { readonly kind: 'begun'; readonly askedAt: string }
  /** A look-up that began after the hint had come was finished: what the hint told of is recorded. */
  | { readonly kind: 'covered' }
  /** A look-up that began after the hint had come, at `askedAt`, is not finished; it covers the hint once it is. */
  | { readonly kind: 'under_way'; readonly askedAt: string; readonly until: string }
  /** Another look-up began less than the window ago; from `until` (ISO 8601 UTC) on there may be one more. */
  | { readonly kind: 'closed'; readonly until: string };

export interface WebhookLedger {
  /**
   * Keeps the body once, under its SHA-256, and when it came last; each arrival that is written goes through the
   * table's stream. False when there is nothing new: the same signed message came before, or the same body at this time
   * or later. Kept for 30 days.
   */
  storeWebhook(webhook: ArrivedWebhook): Promise<boolean>;
  /**
   * Leave to ask the provider about a payout because of a hint: one conditional write, so that at most one look-up
   * begins in any `windowSeconds`, whoever asks. A hint is `covered` by a finished look-up alone: one that died leaves
   * it to be asked about again.
   */
  beginLookup(
    reference: string,
    hint: { readonly receivedAt: string; readonly windowSeconds: number },
  ): Promise<BeginLookup>;
  /** What the look-up that began at `askedAt` found is recorded. */
  finishLookup(reference: string, askedAt: string): Promise<void>;
}

/** The whole ledger. Handlers name the part they need. */
export type Ledger = BatchLedger & PayoutLedger & FundsLedger & WebhookLedger;
