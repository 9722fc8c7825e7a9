import type { Batch, PinnedFile, TimelineLine } from '../../domain/batch/batch.ts';
import type { BatchStatus, BatchTransition } from '../../domain/batch/batch-status.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import type { Page } from './ledger.ts';

export interface NewBatch
  extends Pick<
    Batch,
    | 'batchId'
    | 'mode'
    | 'invalidRows'
    | 'allowSameFile'
    | 'approvalRequired'
    | 'startAt'
    | 'canary'
    | 'pauseAbove'
    | 'expect'
    | 'corrects'
    | 'file'
    | 'createdBy'
  > {
  /** The caller's Idempotency-Key, unique per caller. */
  readonly idempotencyKey: string;
  /** SHA-256 of the request's meaning. The same key with another request is refused. */
  readonly requestHash: string;
}

export type CreateBatch =
  /** `repeated`: the same key and request arrived before, and created this batch. */
  | { readonly kind: 'created' | 'repeated'; readonly batch: Batch }
  /** The key was used for another request. */
  | { readonly kind: 'key_reused'; readonly batchId: string }
  /** These batches pay, have paid or were to pay this file version, oldest first, and allowSameFile is not set. */
  | { readonly kind: 'same_file'; readonly batchIds: readonly string[] };

type ChangedField =
  | 'reason'
  | 'resumeTo'
  | 'plan'
  | 'fees'
  | 'funding'
  | 'awaitingFundsSince'
  | 'refusedWords'
  | 'acknowledgedWords'
  | 'claimUpTo'
  | 'acknowledgedEnds'
  | 'acknowledgedQuarantined'
  | 'approval'
  | 'report';

/**
 * Fields to set on a batch beside its status, and conditions of the write. `null` removes the attribute. `refusedWords` is
 * refused when a person has acknowledged these words.
 */
export type BatchChanges = { readonly [Field in ChangedField]?: NonNullable<Batch[Field]> | null } & {
  /** Number of the execution that has ended. Refused once another has begun, or when this one has ended the batch before. */
  readonly endedExecution?: number;
  /** The `statusSince` that was read. Refused when the batch has left its status since, even if it returned to it. */
  readonly leavingSince?: string;
  /** Refused when the batch entered its status after this time, ISO 8601 UTC. */
  readonly enteredNoLaterThan?: string;
  /** For an end: when the batch is first compared with the provider's lists, ISO 8601 UTC. Written with the end. */
  readonly reconcileAt?: string;
  /** The hash that a person decides on. Refused when another approval is requested now, or the batch is being canceled. */
  readonly decidingOn?: string;
};

/** `refused`: the transition does not leave this status, or a condition of `BatchChanges` no longer holds. */
export interface MoveBatch {
  readonly kind: 'moved' | 'refused';
  /** Read after the write, so a later move may already show. */
  readonly batch: Batch;
}

export type RecordPlan =
  /** `refused`: another plan is recorded, or the batch is no longer `validating`. */
  | { readonly kind: 'recorded' | 'refused' }
  /** These batches pay, have paid or were to pay the same content, oldest first, and allowSameFile is not set. */
  | { readonly kind: 'same_content'; readonly batchIds: readonly string[] }
  /** Another correction of the same batch was recorded since `corrected` was read. */
  | { readonly kind: 'corrected_meanwhile' };

/** A batch that is being corrected, as it was read. */
export type Corrected = Pick<Batch, 'batchId' | 'correctedBy'>;

export interface BatchLedger {
  /**
   * Creates the batch, its idempotency key, and in mode disburse the file version's mark, in one transaction. A batch that ends
   * as validation_failed, or that a person rejects, is taken out of the mark, because nothing was paid from the file.
   */
  createBatch(newBatch: NewBatch): Promise<CreateBatch>;
  /** Returns what createBatch would return for a used key, when the file is gone. Strongly consistent. */
  findStart(start: Pick<NewBatch, 'createdBy' | 'idempotencyKey' | 'requestHash'>): Promise<CreateBatch | undefined>;
  /** Strongly consistent. */
  getBatch(batchId: string): Promise<Batch | undefined>;
  /** Returns ids of the batches that pay, have paid or were to pay this file version, oldest first. Strongly consistent. */
  findByFile(file: Pick<PinnedFile, 'key' | 'versionId'>): Promise<readonly string[]>;
  /**
   * Lists batches newest first, backward from `day` (UTC, YYYY-MM-DD). One call covers at most 93 days. Listing stops after a
   * year without any batch.
   */
  listBatches(query: {
    readonly day: string;
    readonly limit: number;
    readonly cursor?: string;
    readonly status?: BatchStatus;
  }): Promise<Page<Batch>>;
  /**
   * Writes the batch's status, changes, one line of the timeline and news in one transaction. Conditional on the status, on the
   * conditions in `changes` and, for `plan`, on no recorded plan. Removes the previous status's reason. `detail` and `note` are
   * the line's.
   */
  moveBatch(
    batchId: string,
    transition: BatchTransition,
    by: string,
    changes?: BatchChanges,
    words?: { readonly detail?: string | undefined; readonly note?: string | undefined },
  ): Promise<MoveBatch>;
  /** Writes changes without a move, conditional on the status being one of `whileStatus`. */
  amendBatch(
    batchId: string,
    whileStatus: readonly BatchStatus[],
    changes: Omit<BatchChanges, 'plan' | 'reconcileAt'>,
  ): Promise<MoveBatch>;
  /**
   * Records the plan of a `validating` batch once. The same transaction writes the last chunk that its canary allows, and the
   * mark of the file's content. A preview only checks the mark. A batch that ends as validation_failed, or that a
   * person rejects, is taken out of the mark.
   *
   * A paying batch also joins `correctedBy` of all batches it corrects, if those sets are as read. It joins `retriedBy` of the
   * batches whose payouts it retries. At most 90 together.
   */
  recordPlan(
    batch: Pick<Batch, 'batchId' | 'mode' | 'allowSameFile'>,
    plan: PlanSummary & Required<Pick<PlanSummary, 'sha256'>>,
    corrected?: readonly Corrected[],
  ): Promise<RecordPlan>;
  /** Sets cancelRequestedAt once, with a line, unless the batch has ended. */
  requestCancel(batchId: string, by: string, note?: string): Promise<MoveBatch>;
  /**
   * Lets a `validating` batch wait for its start time, and counts the execution that will then begin, in one transaction.
   * Conditional on `validating`, on `statusSince` and `executions` as read, and on no cancellation. `refused` returns the batch
   * as it is.
   */
  scheduleBatch(batch: Pick<Batch, 'batchId' | 'statusSince' | 'executions'>): Promise<MoveBatch>;
  /** Counts one more execution after the n-th, which must have ended (conditional on `executions`). Clears executionEnded. */
  beginExecution(batchId: string, executions: number, by: string, note?: string): Promise<MoveBatch>;
  /** Returns ids of the batches that have not ended, from an index. The index may lag, so read each batch before acting on it. */
  listOpenBatches(): Promise<readonly string[]>;
  /**
   * Returns the newest timeline lines in time order. The cursor leads to older ones. Contradictions are listed separately,
   * because a bank may return a whole payroll. May be slightly stale, unless `consistent`.
   */
  listTimeline(
    batchId: string,
    query: {
      readonly limit: number;
      readonly kind?: 'line' | 'contradiction';
      readonly cursor?: string;
      readonly consistent?: boolean;
    },
  ): Promise<Page<TimelineLine>>;
}
