import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

const accountOf = (seed: string): Buffer => sha256(seed).subarray(0, 20);

/** A well-formed TRON address, determined by the seed. */
export const tronAddress = (seed: string): string =>
  createBase58check(sha256).encode(Buffer.concat([Buffer.of(0x41), accountOf(seed)]));

/** A well-formed EVM address, determined by the seed, with its checksum in the letter case. */
export const evmAddress = (seed: string): string => {
  const digits = accountOf(seed).toString('hex');
  const hash = bytesToHex(keccak_256(Buffer.from(digits)));
  return `0x${digits.replaceAll(/[a-f]/g, (letter, at: number) => (hash.charAt(at) < '8' ? letter : letter.toUpperCase()))}`;
};
