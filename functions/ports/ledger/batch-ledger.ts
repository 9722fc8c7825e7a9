import type { Batch, BatchEvent, PinnedFile } from '../../domain/batch/batch.ts';
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
  /** Caller's Idempotency-Key; unique per caller. */
  readonly idempotencyKey: string;
  /** SHA-256 of the request's meaning: the same key with another request is refused. */
  readonly requestHash: string;
}

export type CreateBatch =
  /** `repeated`: the same key and request came before, and that batch is the answer. */
  | { readonly kind: 'created' | 'repeated'; readonly batch: Batch }
  /** The key was used for another request. */
  | { readonly kind: 'key_reused'; readonly batchId: string }
  /** The file version is already being disbursed (or was) by another batch, and allowSameFile is not set. */
  | { readonly kind: 'same_file'; readonly batchId: string };

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
  | 'approval'
  | 'report';

/** What a step may set on a batch beside its status. `null` removes the attribute. */
export type BatchChanges = { readonly [Field in ChangedField]?: NonNullable<Batch[Field]> | null } & {
  /** The execution of this number is over: refused once another has begun. */
  readonly endedExecution?: number;
  /** The `statusSince` that was read of the batch: refused when it has left its status since, even if it came back to it. */
  readonly leavingSince?: string;
  /** Of an end: when the batch is first compared with the provider's lists, ISO 8601 UTC. Written with it. */
  readonly reconcileAt?: string;
  /** The hash that a person decides on: refused when another is asked for now, or the batch is being canceled. */
  readonly decidingOn?: string;
};

/** `refused`: the status was none the transition leaves from, or not the one read, or the execution not the last. */
export interface MoveBatch {
  readonly kind: 'moved' | 'refused';
  /** As it then stands. */
  readonly batch: Batch;
}

export type RecordPlan =
  /** `refused`: another plan is recorded, or the batch is not `validating` any more. */
  | { readonly kind: 'recorded' | 'refused' }
  /** Another batch pays the same content, or has paid it, and allowSameFile is not set. */
  | { readonly kind: 'same_content'; readonly batchId: string }
  /** Another correction of the same was recorded since `corrected` was read. */
  | { readonly kind: 'corrected_meanwhile' };

/** What a batch corrects, as it was read. */
export type Corrected = Pick<Batch, 'batchId' | 'correctedBy'>;

export interface BatchLedger {
  /**
   * One transaction: the batch, its idempotency key, and (mode disburse) the mark of the file version. The mark of a batch that
   * ends as validation_failed is removed, since nothing was paid from the file.
   */
  createBatch(newBatch: NewBatch): Promise<CreateBatch>;
  /** What createBatch would answer for a key that was used, when the file is gone. Strongly consistent. */
  findStart(start: Pick<NewBatch, 'createdBy' | 'idempotencyKey' | 'requestHash'>): Promise<CreateBatch | undefined>;
  /** Strongly consistent. */
  getBatch(batchId: string): Promise<Batch | undefined>;
  /** Ids of the batches that pay this version of a file, have paid it or may yet, oldest first. Strongly consistent. */
  findByFile(file: Pick<PinnedFile, 'key' | 'versionId'>): Promise<readonly string[]>;
  /** Newest first, walking back from `day` (UTC, YYYY-MM-DD) at most 93 days a call, to a year without any. */
  listBatches(query: {
    readonly day: string;
    readonly limit: number;
    readonly cursor?: string;
    readonly status?: BatchStatus;
  }): Promise<Page<Batch>>;
  /**
   * The batch's status, changes and one event, in one transaction conditional on the status and, for `plan`, on no plan being
   * recorded. The last status's reason goes.
   */
  moveBatch(
    batchId: string,
    transition: BatchTransition,
    by: string,
    changes?: BatchChanges,
    detail?: string,
    note?: string,
  ): Promise<MoveBatch>;
  /** Changes without a move, conditional on the status being one of `whileStatus`. */
  amendBatch(
    batchId: string,
    whileStatus: readonly BatchStatus[],
    changes: Omit<BatchChanges, 'plan'>,
  ): Promise<MoveBatch>;
  /**
   * The plan of a batch that is `validating`, once, and what its canary lets be claimed; and in the same transaction the mark of
   * the file's content. A preview only looks at the mark. A batch that is not released leaves it, when it ends as
   * validation_failed. One that pays joins `correctedBy` of all that it corrects, while those sets are as read, and `retriedBy`
   * of those whose payouts it tries again; at most 90 together.
   */
  recordPlan(
    batch: Pick<Batch, 'batchId' | 'mode' | 'allowSameFile'>,
    plan: PlanSummary & Required<Pick<PlanSummary, 'sha256'>>,
    corrected?: readonly Corrected[],
  ): Promise<RecordPlan>;
  /** Sets cancelRequestedAt once, unless the batch has ended; one event. */
  requestCancel(batchId: string, by: string, note?: string): Promise<MoveBatch>;
  /**
   * Lets a batch that is `validating` rest until its time, and counts the execution that is to begin then, in one transaction.
   * Conditional on its status, its executions and no cancellation, as read. `refused`: how it then stands.
   */
  scheduleBatch(batch: Pick<Batch, 'batchId' | 'statusSince' | 'executions'>): Promise<MoveBatch>;
  /** Counts one more execution after the n-th, which must be over (conditional on `executions`); clears executionEnded. */
  beginExecution(batchId: string, executions: number, by: string, note?: string): Promise<MoveBatch>;
  /** Ids of the batches that have not ended, as an index has them: it may be behind, so read each before acting on it. */
  listOpenBatches(): Promise<readonly string[]>;
  /**
   * The newest lines of the timeline, in order of time; the cursor leads to older ones. What the provider contradicts is told
   * apart from the rest, since a bank may return a whole payroll. May be a moment old, unless `consistent`.
   */
  listEvents(
    batchId: string,
    query: {
      readonly limit: number;
      readonly of?: 'event' | 'contradiction';
      readonly cursor?: string;
      readonly consistent?: boolean;
    },
  ): Promise<Page<BatchEvent>>;
}
