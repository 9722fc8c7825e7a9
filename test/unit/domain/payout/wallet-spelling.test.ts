import { expect, it } from 'vitest';
import { otherSpelling, usualSpelling } from '../../../../functions/domain/payout/wallet-spelling.ts';

it.each([
  ['EVM', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['segwit', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['TON', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA'],
])('both spellings of a %s address lead to the same two', (_, usual, other) => {
  for (const written of [usual, other]) {
    expect(usualSpelling(written)).toBe(usual);
    expect(otherSpelling(written)).toBe(other);
  }
});

it.each([
  ['of Bitcoin in Base58', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['of TRON', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  ['of TON with a wrong checksum', 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwB'],
])('an address %s has one spelling', (_, address) => {
  expect(usualSpelling(address)).toBe(address);
  expect(otherSpelling(address)).toBeUndefined();
});
