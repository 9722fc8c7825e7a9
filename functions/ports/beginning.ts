import type { InvalidRows } from '../domain/batch/batch.ts';
import type { BatchStatus } from '../domain/batch/batch-status.ts';
import type { OperatorRefusal } from './operator-refusal.ts';

/**
 * A file to check, or to pay. This request comes from where no person is known, so payment always waits for a known person's
 * approval. There is no way here to begin without it.
 */
export type BatchToBegin = {
  /** Key of the payout file, and its version. */
  readonly file: string;
  readonly versionId: string;
  readonly invalidRows: InvalidRows;
  /** The batch whose file this one corrects. */
  readonly corrects?: string;
  readonly startAt?: string;
  readonly canary?: number;
  readonly pauseAbove?: number;
  readonly idempotencyKey: string;
} & ({ readonly mode: 'preview' } | { readonly mode: 'disburse'; readonly approval: 'required' });

/** The result: a batch, or a refusal in the words of the operator API. */
export type Begun =
  | { readonly kind: 'begun'; readonly batchId: string; readonly batchStatus: BatchStatus }
  | OperatorRefusal;

/** Starts a batch through the operator API's own function, for callers that may do nothing else. */
export interface Beginning {
  /**
   * Idempotent by its key, like the API.
   *
   * @param by recorded as the batch's starter
   * @throws the SDK's errors, and OperatorApiFailed when the function failed
   */
  begin(batch: BatchToBegin, by: string): Promise<Begun>;
}
