import { createHash } from 'node:crypto';
import type { BlockchainType } from './money/currencies.ts';

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A letter a byte of the digests of `seed` and of one more seed made from it: one digest is too short for an address. */
function base32Letters(seed: string): string {
  const bytes = [seed, `${seed}\nmore`].map((text) => createHash('sha256').update(text).digest());
  return [...Buffer.concat(bytes)].map((byte) => base32[byte % 32]).join('');
}

/**
 * A made-up address in the form of the network, always the same for a seed. Shapes are right, checksums are not: nobody
 * should send money to one.
 */
export function walletAddress(blockchainType: BlockchainType, seed: string): string {
  const digest = createHash('sha256').update(`${blockchainType}\n${seed}`).digest('hex');
  switch (blockchainType) {
    case 'evm':
      return `0x${digest.slice(0, 40)}`;
    case 'tron':
      // Hexadecimal digits but 0 are base58 digits too.
      return `T${digest.replaceAll('0', 'x').slice(0, 33)}`;
    case 'stellar':
      return `G${base32Letters(`${blockchainType}\n${seed}`).slice(0, 55)}`;
  }
}
