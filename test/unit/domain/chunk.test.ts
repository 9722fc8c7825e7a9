import { describe, expect, it } from 'vitest';
import { hashDestination } from '../../../functions/domain/chunk.ts';

const wallet = (walletAddress: string): string => hashDestination({ kind: 'wallet', walletAddress });

describe('the hash of a destination', () => {
  it('is the same however the provider writes the checksum of an EVM address', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(wallet(address)).toBe(wallet(address.toLowerCase()));
    expect(wallet(address)).not.toBe(wallet(address.replace('5a', '5b')));
  });

  it.each(['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'])(
    'tells addresses apart whose letter case has a meaning: %s',
    (address) => {
      expect(wallet(address)).not.toBe(wallet(address.toLowerCase()));
    },
  );

  it('of a bank is told by its code and account number alone', () => {
    const bank = { kind: 'bank', bankCode: 'bca', accountNumber: '007', bankName: 'BCA', accountName: 'A' } as const;
    expect(hashDestination(bank)).toBe(hashDestination({ ...bank, bankName: 'Bank', accountName: 'B' }));
    expect(hashDestination(bank)).not.toBe(hashDestination({ ...bank, accountNumber: '7' }));
  });
});
