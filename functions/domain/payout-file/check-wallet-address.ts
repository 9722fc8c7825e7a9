import { hash } from 'node:crypto';
import { base32nopad, base58, bech32, bech32m, createBase58check } from '@scure/base';
import { networks } from '../money/currency.ts';
import { plural } from '../money/format-money.ts';
import { crc16 } from '../payout/crc16.ts';
import { evmAddress, hasChecksumCase } from '../payout/evm-address.ts';
import { segwitAddress } from '../payout/segwit-address.ts';
import { hasTonChecksum, tonShape } from '../payout/ton-address.ts';
import type { FileRow, Problem } from './fields.ts';

/** Networks that share one form of address. The address does not show which of them it is for. */
interface AddressFamily {
  /** The name that messages use. */
  readonly name: string;
  readonly shape: RegExp;
  /** Describes an address to someone who wrote something else. */
  readonly looks: string;
  /** True when the bytes and the checksum of an address of this shape are right. Throws when they cannot be decoded. */
  readonly isSound: (address: string) => boolean;
}

/** Hashes to text, because a Buffer made by `hash` costs three times as much. */
const base58check = createBase58check((bytes: Uint8Array) => Buffer.from(hash('sha256', bytes, 'hex'), 'hex'));

const isBase58check = (address: string, versions: readonly number[]): boolean => {
  const bytes = base58check.decode(address);
  return bytes.length === 21 && versions.includes(bytes[0] ?? -1);
};

/** BIP 173 for version 0, BIP 350 for version 1. Decoding verifies the checksum and throws when it is wrong. */
const isSegwit = (address: string): boolean => {
  const { decode, fromWords } = /^bc1q/i.test(address) ? bech32 : bech32m;
  return fromWords(decode(address).words.slice(1)).length >= 20;
};

/** Every network whose addresses are checked, by the families of currency.ts. Testnet addresses are refused. */
const families: Readonly<Record<string, AddressFamily>> = {
  evm: {
    name: 'an EVM network',
    shape: evmAddress,
    looks: '0x and 40 digits or letters a to f',
    isSound: hasChecksumCase,
  },
  tron: {
    name: 'TRON',
    shape: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    looks: 'T and 33 letters and digits, never 0, O, I or l',
    isSound: (address) => isBase58check(address, [0x41]),
  },
  bitcoin: {
    name: 'Bitcoin',
    looks: '1, 3, bc1q or bc1p, and 25 to 58 letters and digits',
    shape: new RegExp(`^[13][1-9A-HJ-NP-Za-km-z]{25,33}$|${segwitAddress.source}`),
    isSound: (address) => (/^[13]/.test(address) ? isBase58check(address, [0, 5]) : isSegwit(address)),
  },
  solana: {
    name: 'Solana',
    shape: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    looks: '32 to 44 letters and digits, never 0, O, I or l',
    isSound: (address) => base58.decode(address).length === 32,
  },
  ton: {
    name: 'TON',
    shape: tonShape,
    looks: 'EQ, UQ, Ef or Uf and 46 letters, digits, - or _',
    isSound: hasTonChecksum,
  },
  stellar: {
    name: 'Stellar',
    shape: /^G[A-D][A-Z2-7]{54}$/,
    looks: 'G and 55 capitals and digits 2 to 7',
    isSound: (address) => {
      const bytes = Buffer.from(base32nopad.decode(address));
      return crc16(bytes.subarray(0, 33)) === bytes.readUInt16LE(33);
    },
  },
} satisfies Readonly<Record<keyof typeof networks, AddressFamily>>;

/** By network, as currencies have it after the hyphen. */
const familyOf: ReadonlyMap<string, AddressFamily | undefined> = new Map(
  Object.entries(networks).flatMap(([family, ofFamily]) => ofFamily.map((network) => [network, families[family]])),
);

const isOf = ({ shape, isSound }: AddressFamily, address: string): boolean => {
  if (!shape.test(address)) return false;
  try {
    return isSound(address);
  } catch {
    // The decoder's error is dropped: its message may contain the address.
    return false;
  }
};

/** The least that is asked of an address on an unknown network. */
const saneShape = /^[A-Za-z0-9][A-Za-z0-9:._-]{9,}$/;

/** Checks that the address belongs to the currency's network. Networks of one family cannot be told apart. */
export const checkWalletAddress = ({ currency, walletAddress }: FileRow, problem: Problem): void => {
  const network = currency.slice(currency.indexOf('-') + 1);
  const family = familyOf.get(network);
  if (family === undefined ? saneShape.test(walletAddress) : isOf(family, walletAddress)) return;
  const other = family && Object.values(families).find((one) => isOf(one, walletAddress));
  if (other !== undefined) {
    const message = `"walletAddress" is an address of ${other.name}, not of ${network}. Ask for one of ${network}, or correct the currency.`;
    problem('walletAddress', 'address_wrong_network', message);
  } else {
    const message =
      family === undefined
        ? '"walletAddress" must begin with a letter or digit, and have at least 10 letters, digits or : . _ -, without spaces.'
        : family.shape.test(walletAddress)
          ? `"walletAddress" looks like one of ${network}, but a character is mistyped or missing. Copy the address again.`
          : `"walletAddress" is not an address of ${network}, which is ${family.looks}. This has ${walletAddress.length} ${plural(walletAddress.length, 'character')}: copy it again.`;
    problem('walletAddress', 'value_malformed', message);
  }
};
