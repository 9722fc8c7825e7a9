import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A file's seal, in hex: an HMAC over its key in the bucket and its bytes, by a secret of its plan that the ledger alone keeps.
 * A writer of the bucket can make none, and the seal of one file fits no other.
 */
export const sealOf = (sealKey: string, fileKey: string, bytes: Uint8Array): string =>
  createHmac('sha256', sealKey).update(`${fileKey}\n`).update(bytes).digest('hex');

/** @param seal as it was found with the file, if one was */
export const isSealedBy = (sealKey: string, fileKey: string, bytes: Uint8Array, seal = ''): boolean => {
  const [found, right] = [Buffer.from(seal), Buffer.from(sealOf(sealKey, fileKey, bytes))];
  return found.byteLength === right.byteLength && timingSafeEqual(found, right);
};
