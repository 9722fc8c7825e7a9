import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedAccount, shownDestination } from '../../../../functions/domain/payout/destination.ts';

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
