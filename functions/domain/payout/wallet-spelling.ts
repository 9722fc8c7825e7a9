import { evmAddress, inChecksumCase } from './evm-address.ts';
import { segwitAddress } from './segwit-address.ts';
import { inOtherForm, isTonAddress } from './ton-address.ts';

/** Addresses that can be written in two ways. A provider may store either. */
interface TwoSpellings {
  readonly isOne: (address: string) => boolean;
  readonly usual: (address: string) => string;
  readonly other: (address: string) => string;
}

const isUnusualTon = (address: string): boolean => address.startsWith('U');
const inLowerCase = (address: string): string => address.toLowerCase();

const families: readonly TwoSpellings[] = [
  { isOne: (address) => evmAddress.test(address), usual: inLowerCase, other: inChecksumCase },
  { isOne: (address) => segwitAddress.test(address), usual: inLowerCase, other: (address) => address.toUpperCase() },
  {
    isOne: isTonAddress,
    usual: (address) => (isUnusualTon(address) ? inOtherForm(address) : address),
    other: (address) => (isUnusualTon(address) ? address : inOtherForm(address)),
  },
];

const familyOf = (address: string): TwoSpellings | undefined => families.find(({ isOne }) => isOne(address));

/** The same for every way to write an address. */
export const usualSpelling = (address: string): string => familyOf(address)?.usual(address) ?? address;

/** The second way to write an address. Undefined when there is only one. */
export const otherSpelling = (address: string): string | undefined => familyOf(address)?.other(address);
