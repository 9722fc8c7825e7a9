import { hash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base32nopad, base58, createBase58check } from '@scure/base';
import { crc16 } from './crc16.ts';
import type { BlockchainType, Token } from './money/currencies.ts';

const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

const base58check = createBase58check(sha256);

/** ERC-55: the case of the digits is a checksum. */
const withChecksumCase = (address: string): string => {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) < 8 ? digit : digit.toUpperCase(),
  );
  return `0x${cased.join('')}`;
};

const tronPrefix = Buffer.from([0x41]);
const tronAddress = (key: Uint8Array): string => base58check.encode(Buffer.concat([tronPrefix, key]));

const stellarPrefix = Buffer.from([6 << 3]);

/** Ends in a checksum, low byte first. */
const stellarAddress = (key: Uint8Array): string => {
  const payload = Buffer.concat([stellarPrefix, key]);
  const checksum = crc16(payload, 0);
  return base32nopad.encode(Buffer.concat([payload, Buffer.from([checksum & 0xff, checksum >> 8])]));
};

/**
 * An invented address of the network with a valid checksum, always the same for a seed. Nobody has the key to its
 * wallet, so nobody should send money to it.
 */
export const walletAddress = (blockchainType: BlockchainType, seed: string): string => {
  const digest = sha256(`${blockchainType}\n${seed}`);
  switch (blockchainType) {
    case 'evm':
      return withChecksumCase(`0x${digest.toString('hex', 0, 20)}`);
    case 'tron':
      return tronAddress(digest.subarray(0, 20));
    case 'stellar':
      return stellarAddress(digest);
  }
};

/**
 * Whether the address is well-formed for the token's network, checksum included. An EVM address in a single case has no
 * checksum. Nobody has the key to the zero address.
 */
export const isWalletAddress = ({ blockchainType }: Pick<Token, 'blockchainType'>, address: string): boolean => {
  switch (blockchainType) {
    case 'evm':
      return (
        !/^0x0*$/.test(address) &&
        (/^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(address) ||
          (/^0x[0-9a-fA-F]{40}$/.test(address) && address === withChecksumCase(address)))
      );
    case 'tron':
      return (
        /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address) && address === tronAddress(base58.decode(address).subarray(1, 21))
      );
    case 'stellar':
      return /^G[A-Z2-7]{55}$/.test(address) && address === stellarAddress(base32nopad.decode(address).subarray(1, 33));
  }
};
