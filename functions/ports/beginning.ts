import type { InvalidRows } from '../domain/batch/batch.ts';
import type { BatchStatus } from '../domain/batch/batch-status.ts';
import type { OperatorRefusal } from './operator-refusal.ts';

/**
 * A file to be checked, or asked payment for. Asked from where no person is known, payment waits for one who is: there is no way
 * here to begin it without.
 */
export type BatchToBegin = {
  /** Key of the payout file, and the version of it that is meant. */
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

/** What became of it: a batch, or a refusal in the words of the operator API. */
export type Begun =
  | { readonly kind: 'begun'; readonly batchId: string; readonly batchStatus: BatchStatus }
  | OperatorRefusal;

/** Starting a batch by the operator API's own function, for what may do nothing else. */
export interface Beginning {
  /**
   * Asking twice with one key is asking once, as by the API.
   *
   * @param by who is named as the batch's starter
   * @throws the SDK's errors, and when the function failed
   */
  begin(batch: BatchToBegin, by: string): Promise<Begun>;
}
