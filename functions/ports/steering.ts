import type { OperatorRefusal } from './operator-refusal.ts';

/** What became of a request to steer a batch: it was met, or refused in the words of the operator API. */
export type Steered = { readonly kind: 'done'; readonly batchStatus: string } | OperatorRefusal;

/** Pausing and canceling a batch by the operator API's own functions, for what may do nothing else to it. */
export interface Steering {
  /**
   * Asking twice is asking once, as by the API.
   *
   * @param by who is named in the batch's timeline
   * @throws the SDK's errors, and when the function failed
   */
  ask(action: 'pause' | 'cancel', batchId: string, by: string): Promise<Steered>;
}
