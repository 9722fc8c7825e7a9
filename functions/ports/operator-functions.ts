import type { BatchStatus } from '../domain/batch/batch-status.ts';
import type { NewBatch } from './ledger/batch-ledger.ts';

/** Explains why the operator API refused a request, in the API's own words. */
export interface OperatorRefusal {
  readonly kind: 'refused';
  /** Stable, for programs: a URN that ends in the problem's code. */
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  /** The batch concerned. */
  readonly batchId?: string;
}

/**
 * A file to check, or to pay. The caller does not know which person asks. So a payment always waits for a known person's
 * approval, and this type allows nothing else.
 */
export type BatchToBegin = Pick<
  NewBatch,
  'invalidRows' | 'corrects' | 'startAt' | 'canary' | 'pauseAbove' | 'idempotencyKey'
> & {
  /** Key of the payout file, and its version. */
  readonly file: string;
  readonly versionId: string;
} & ({ readonly mode: 'preview' } | { readonly mode: 'disburse'; readonly approval: 'required' });

/** The result: a batch, or a refusal in the words of the operator API. */
export type Begun =
  | { readonly kind: 'begun'; readonly batchId: string; readonly batchStatus: BatchStatus }
  | OperatorRefusal;

/**
 * Starts a batch through the operator API's own function, for callers that may do nothing else. Idempotent by its key, like the
 * API.
 *
 * @param by recorded as the batch's starter
 * @throws the SDK's errors, and OperatorApiFailed when the function failed
 */
export type Begin = (batch: BatchToBegin, by: string) => Promise<Begun>;

/** The result of a request to steer a batch: done, or refused in the words of the operator API. */
export type Steered = { readonly kind: 'done'; readonly batchStatus: string } | OperatorRefusal;

/**
 * Pauses or cancels a batch through the operator API's own functions, for callers that may do nothing else. Idempotent, like the
 * API.
 *
 * @param by recorded in the batch's timeline
 * @throws the SDK's errors, and OperatorApiFailed when the function failed
 */
export type Steer = (action: 'pause' | 'cancel', batchId: string, by: string) => Promise<Steered>;

/** One part of a batch's transfer proofs as a ZIP, or a refusal in the words of the operator API. */
export type ZippedProofs =
  | {
      readonly kind: 'made';
      readonly name: string;
      readonly url: string;
      /** When the URL expires, ISO 8601 UTC. */
      readonly expiresAt: string;
      readonly proofs: number;
      /** Number of proofs left out because someone changed or deleted their files. */
      readonly altered?: number;
      /** Cursor of the next part. */
      readonly cursor?: string;
    }
  | OperatorRefusal;

/**
 * Makes one part of a ZIP of proofs through the operator API's own function, for callers that may not write files. Every call
 * makes a new ZIP.
 *
 * @param by the person who requests it
 * @throws the SDK's errors, and OperatorApiFailed when the function failed
 */
export type ZipProofs = (
  part: { readonly batchId: string; readonly cursor?: string },
  by: string,
) => Promise<ZippedProofs>;
