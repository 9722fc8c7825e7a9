import { createHash } from 'node:crypto';
import { base32nopad, base58, bech32, bech32m, createBase58check } from '@scure/base';
import type { Chance } from '../support/chance.ts';
import { evmAddress, tronAddress } from '../support/wallet-addresses.ts';

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const base58check = createBase58check(sha256);
const withVersion = (version: number, bytes: Uint8Array): string =>
  base58check.encode(Buffer.concat([Buffer.of(version), bytes]));

/** CRC-16/XMODEM by its polynomial, as used by TON and Stellar. */
const crc16 = (bytes: Uint8Array): Buffer => {
  let remainder = 0;
  for (const byte of [...bytes, 0, 0])
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carried = (remainder << 1) | ((byte >> bit) & 1);
      remainder = carried > 0xffff ? (carried & 0xffff) ^ 0x1021 : carried;
    }
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16BE(remainder);
  return checksum;
};

const segwit = (hrp: string, version: number, program: Uint8Array): string =>
  (version === 0 ? bech32 : bech32m).encode(hrp, [version, ...bech32.toWords(program)]);

const ton = (flag: number, account: Buffer): string => {
  const bytes = Buffer.concat([Buffer.of(flag, 0), account]);
  return Buffer.concat([bytes, crc16(bytes)]).toString('base64url');
};

const stellar = (account: Buffer): string => {
  const bytes = Buffer.concat([Buffer.of(6 << 3), account]);
  return base32nopad.encode(Buffer.concat([bytes, crc16(bytes).swap16()]));
};

/** The address forms of each network. Each function makes an address from 32 bytes. */
const forms: Readonly<Record<string, readonly ((account: Buffer) => string)[]>> = {
  evm: [
    (account) => evmAddress(account.toString('hex')),
    (account) => evmAddress(account.toString('hex')).toLowerCase(),
    (account) => `0x${evmAddress(account.toString('hex')).slice(2).toUpperCase()}`,
  ],
  tron: [(account) => tronAddress(account.toString('hex'))],
  bitcoin: [
    (account) => withVersion(0, account.subarray(0, 20)),
    (account) => withVersion(5, account.subarray(0, 20)),
    (account) => segwit('bc', 0, account.subarray(0, 20)),
    (account) => segwit('bc', 0, account).toUpperCase(),
    (account) => segwit('bc', 1, account),
  ],
  solana: [(account) => base58.encode(account)],
  ton: [(account) => ton(0x11, account), (account) => ton(0x51, account)],
  stellar: [stellar],
  celo: [(account) => account.toString('hex').slice(0, 40)],
};

const testnets: Readonly<Record<string, (account: Buffer) => string>> = {
  bitcoin: (account) => segwit('tb', 0, account.subarray(0, 20)),
  ton: (account) => ton(0x91, account),
};

const evmNetworks = ['ethereum', 'polygon', 'bsc', 'arbitrum', 'base', 'avalanche'];
const familyOf = (currency: string): string => {
  const network = currency.slice(currency.indexOf('-') + 1);
  return evmNetworks.includes(network) ? 'evm' : network;
};

/** Endings of addresses that steer the sandbox. */
const steering = /(fa11|c4ec|4e74|ca2c|1a7e|bacc)$/i;

/** An address of the currency's network with its checksum, determined by seed and chance. */
export const walletOf = (chance: Chance, currency: string, seed: string): string => {
  const [first = String, ...others] = forms[familyOf(currency)] ?? [];
  const form = chance.pick([first, ...others]);
  for (let name = seed; ; name += "'") {
    const address = form(sha256(name));
    if (!steering.test(address)) return address;
  }
};

/** True when addresses of the network identify it, and have a checksum or at least a fixed length. */
export const hasRules = (currency: string): boolean => familyOf(currency) !== 'celo';

/** An address of a network whose addresses look different. */
export const walletOfAnotherNetwork = (chance: Chance, currency: string, seed: string): string => {
  const networks = ['polygon', 'tron', 'bitcoin', 'stellar', 'ton'];
  const [first = '', ...others] = networks.filter((one) => familyOf(one) !== familyOf(currency));
  return walletOf(chance, chance.pick([first, ...others]), seed);
};

const replaceAt = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);

/**
 * An EVM address with one letter in the other case. Both cases remain, because an address in one case has no checksum. Undefined
 * when no letter allows that.
 */
const inAnotherCase = (address: string): string | undefined =>
  [...address]
    .map((letter, at) =>
      replaceAt(address, at, letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()),
    )
    .find((changed, at) => at > 1 && changed !== address && /[a-f]/.test(changed.slice(2)) && /[A-F]/.test(changed));

/** A mistyped address: one wrong character if the network has checksums, else a wrong length. */
export const mistypedWallet = (chance: Chance, currency: string, seed: string): string => {
  const family = familyOf(currency);
  const testnet = testnets[family];
  if (testnet !== undefined && chance.happens(0.2)) return testnet(sha256(seed));
  const whole = family === 'evm' ? evmAddress(sha256(seed).toString('hex')) : walletOf(chance, currency, seed);
  if (family === 'celo') return `${whole} x`;
  // Some are still addresses without their last character.
  if (family === 'solana') return chance.happens(0.5) ? whole.slice(0, 30) : replaceAt(whole, 5, '0');
  if (chance.happens(0.2)) return whole.slice(0, -1);
  if (family === 'evm') return inAnotherCase(whole) ?? whole.slice(0, -1);
  const at = chance.int(8, whole.length - 2);
  const others = family === 'stellar' ? 'ABC' : whole === whole.toUpperCase() ? 'QZP' : 'qzp';
  const other = [...others].find((letter) => letter !== whole.charAt(at)) ?? '';
  return replaceAt(whole, at, other);
};
