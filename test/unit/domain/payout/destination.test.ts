import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashDestination,
  isHashOf,
  maskedAccount,
  shownDestination,
} from '../../../../functions/domain/payout/destination.ts';

describe('a masked account', () => {
  it.each([
    ['0012345678', '***5678'],
    ['12345678', '***5678'],
    ['1234567', '***567'],
    ['1234', '***34'],
    ['123', '***3'],
    ['1', '***'],
    ['', '***'],
    ['ID-😀😀😀😀😀', '***😀😀😀😀'],
  ])('%s is %s', (account, shown) => {
    expect(maskedAccount(account)).toBe(shown);
  });

  it('hides at least half of it, and all but four characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (account) => {
        const shown = maskedAccount(account).slice(3);
        expect(shown.length * 2).toBeLessThanOrEqual(account.length);
        expect([...shown].length).toBeLessThanOrEqual(4);
        expect(account.endsWith(shown)).toBe(true);
      }),
    );
  });

  it('shows a bank by its code, without a name', () => {
    const [bankName, accountName] = ['BCA', 'Siti Rahma'];
    const bank = { kind: 'bank', bankCode: 'bca', bankName, accountNumber: '0012345678', accountName } as const;
    expect(shownDestination(bank)).toEqual({ bankCode: 'bca', account: '***5678' });
    expect(shownDestination({ kind: 'recipientId', recipientId: 'rec_123456' })).toEqual({ account: '***3456' });
    expect(shownDestination({ kind: 'wallet', walletAddress: `0x${'a'.repeat(40)}` })).toEqual({ account: '***aaaa' });
  });
});

const [bounceable, other] = [
  'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
  'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
] as const;

const wallet = (walletAddress: string): string => hashDestination({ kind: 'wallet', walletAddress });

describe('the hash of a destination', () => {
  it('does not depend on an EVM address’s checksum', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(wallet(address)).toBe(wallet(address.toLowerCase()));
    expect(wallet(address)).not.toBe(wallet(address.replace('5a', '5b')));
  });

  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ])('does not depend on the letter case of a segwit address: %s', (address) => {
    expect(wallet(address.toUpperCase())).toBe(wallet(address));
    expect(wallet(address)).not.toBe(wallet(`${address.slice(0, -1)}q`));
  });

  it('does not depend on the form of a TON address, which has a letter and a checksum of its own', () => {
    expect(wallet(other)).toBe(wallet(bounceable));
    expect(wallet('UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwB')).not.toBe(wallet(bounceable));
  });

  it.each(['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'])(
    'distinguishes addresses whose letter case matters: %s',
    (address) => {
      expect(wallet(address)).not.toBe(wallet(address.toLowerCase()));
    },
  );

  it('of a bank depends only on its code and account number', () => {
    const bank = { kind: 'bank', bankCode: 'bca', accountNumber: '007', bankName: 'BCA', accountName: 'A' } as const;
    expect(hashDestination(bank)).toBe(hashDestination({ ...bank, bankName: 'Bank', accountName: 'B' }));
    expect(hashDestination(bank)).not.toBe(hashDestination({ ...bank, accountNumber: '7' }));
  });

  it('distinguishes the provider’s recipients', () => {
    const [one, other] = ['rec_1', 'rec_2'].map((recipientId) => hashDestination({ kind: 'recipientId', recipientId }));
    expect(one).not.toBe(other);
  });
});

describe('a payout that an older version has registered', () => {
  const segwit = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const tron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

  it.each([
    ['the same', segwit.toUpperCase(), segwit, true],
    ['the same', segwit, segwit.toUpperCase(), true],
    ['the same', other, other, true],
    ['the same', other, bounceable, true],
    ['the same', bounceable, other, true],
    ['the same', tron, tron, true],
    ['another', tron, tron.toLowerCase(), false],
    ['another', tron, bounceable, false],
  ])('goes to %s destination: %s and %s', (_, written, walletAddress, expected) => {
    expect(isHashOf(hash('sha256', `wallet\n${written}`), { kind: 'wallet', walletAddress })).toBe(expected);
  });
});
