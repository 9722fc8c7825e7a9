import type { OperatorRefusal } from './operator-refusal.ts';

/** One part of a batch's transfer proofs as a ZIP, or a refusal in the words of the operator API. */
export type ArchivedProofs =
  | {
      readonly kind: 'made';
      readonly name: string;
      readonly url: string;
      /** When the URL expires, ISO 8601 UTC. */
      readonly expiresAt: string;
      readonly proofs: number;
      /** Number of proofs left out because someone changed their files. */
      readonly altered?: number;
      /** Cursor of the next part. */
      readonly cursor?: string;
    }
  | OperatorRefusal;

/** Makes ZIPs of proofs through the operator API's own function, for callers that may not write files. */
export interface ProofArchives {
  /**
   * Makes one part. Every call makes a new ZIP.
   *
   * @param by the person who requests it
   * @throws the SDK's errors, and OperatorApiFailed when the function failed
   */
  make(part: { readonly batchId: string; readonly cursor?: string }, by: string): Promise<ArchivedProofs>;
}
