import { keccakP } from '@noble/hashes/sha3.js';

/** Addresses of the EVM networks. Their letter case carries no meaning, except as a checksum (ERC-55). */
export const evmAddress = /^0x[0-9a-fA-F]{40}$/;

/** One block of Keccak-256: as words for the permutation, as bytes for the digits. Shared, because every check needs one. */
const words = new Uint32Array(50);
const block = new Uint8Array(words.buffer);
/** Bytes that Keccak-256 absorbs at a time. */
const rate = 136;

/** Hashes the digits of an address in lower case. The result is valid until the next call. */
const hashDigits = (address: string): Uint8Array => {
  const digits = address.length - 2;
  words.fill(0);
  // 0x20 makes a letter lower case and leaves a digit unchanged.
  for (let at = 0; at < digits; at += 1) block[at] = address.charCodeAt(at + 2) | 0x20;
  block[digits] = 0x01;
  block[rate - 1] = 0x80;
  keccakP(words);
  return block;
};

/** A letter is a capital when the matching digit of the hash is 8 or more. */
const isCapital = (hash: Uint8Array, at: number): boolean =>
  ((hash[at >> 1] ?? 0) & (at % 2 === 0 ? 0x80 : 0x08)) !== 0;

/** True when the letter case of an address is its checksum. An address all in one case has none. */
export const hasChecksumCase = (address: string): boolean => {
  if (!/[a-f]/.test(address) || !/[A-F]/.test(address)) return true;
  const hash = hashDigits(address);
  for (let at = 0; at < address.length - 2; at += 1) {
    const code = address.charCodeAt(at + 2);
    if (code > 0x39 && isCapital(hash, at) !== code < 0x60) return false;
  }
  return true;
};

/** Returns an address in the letter case that is its checksum. */
export const inChecksumCase = (address: string): string => {
  const hash = hashDigits(address);
  const digits = [...address.slice(2).toLowerCase()];
  return `0x${digits.map((digit, at) => (isCapital(hash, at) ? digit.toUpperCase() : digit)).join('')}`;
};
