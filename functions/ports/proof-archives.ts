import type { OperatorRefusal } from './operator-refusal.ts';

/** A part of a batch's transfer proofs as a ZIP, or why there is none, in the words of the operator API. */
export type ArchivedProofs =
  | {
      readonly kind: 'made';
      readonly name: string;
      readonly url: string;
      /** Until when the address is valid, ISO 8601 UTC. */
      readonly expiresAt: string;
      readonly proofs: number;
      /** Proofs that are left out, since somebody changed their files. */
      readonly altered?: number;
      /** Leads to the next part. */
      readonly cursor?: string;
    }
  | OperatorRefusal;

/** ZIPs of proofs by the operator API's own function, for what may not write files itself. */
export interface ProofArchives {
  /**
   * Makes a part; each call makes one anew.
   *
   * @param by who asks
   * @throws the SDK's errors, and OperatorApiFailed when the function failed
   */
  make(part: { readonly batchId: string; readonly cursor?: string }, by: string): Promise<ArchivedProofs>;
}
