import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A file's seal, in hex: an HMAC over its key and its bytes. The secret belongs to the plan, and only the ledger has
 * it. So a writer of the bucket cannot make a seal, and one file's seal does not fit another file.
 */
export const sealOf = (sealKey: string, fileKey: string, bytes: Uint8Array): string =>
  createHmac('sha256', sealKey).update(`${fileKey}\n`).update(bytes).digest('hex');

/**
 * True when the seal matches.
 *
 * @param seal the seal found with the file, if any
 */
export const isSealedBy = (sealKey: string, fileKey: string, bytes: Uint8Array, seal = ''): boolean => {
  const [found, right] = [Buffer.from(seal), Buffer.from(sealOf(sealKey, fileKey, bytes))];
  return found.byteLength === right.byteLength && timingSafeEqual(found, right);
};
