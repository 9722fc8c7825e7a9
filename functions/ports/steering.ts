import type { OperatorRefusal } from './operator-refusal.ts';

/** The result of a request to steer a batch: done, or refused in the words of the operator API. */
export type Steered = { readonly kind: 'done'; readonly batchStatus: string } | OperatorRefusal;

/** Pauses and cancels batches through the operator API's own functions, for callers that may do nothing else. */
export interface Steering {
  /**
   * Idempotent, like the API.
   *
   * @param by recorded in the batch's timeline
   * @throws the SDK's errors, and OperatorApiFailed when the function failed
   */
  ask(action: 'pause' | 'cancel', batchId: string, by: string): Promise<Steered>;
}
