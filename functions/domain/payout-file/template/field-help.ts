import type { PayoutField } from '../fields.ts';

/** Short help on a field for people who fill in a file. PAYOUT-FILE.md has all rules. */
export interface FieldHelp {
  readonly needed: 'always' | 'bank account' | 'recipient id' | 'wallet' | 'no';
  readonly what: string;
  readonly example: string;
}

export const fieldHelp: Readonly<Record<PayoutField, FieldHelp>> = {
  reference: {
    needed: 'no',
    what: 'Your own name for the payout. Use each only once. Letters, digits and . _ : -',
    example: 'salary-2026-01-0007',
  },
  amount: { needed: 'always', what: 'Digits and a point, without thousands separators', example: '1250000.50' },
  currency: {
    needed: 'always',
    what: 'A code such as IDR, or a token and its network such as usdt-tron',
    example: 'IDR',
  },
  recipientId: {
    needed: 'recipient id',
    what: 'In place of a bank account: the id that the provider gave the recipient',
    example: 'rcp_0007',
  },
  bankCode: { needed: 'bank account', what: 'The bank’s code as the provider lists it', example: 'BCA' },
  bankName: { needed: 'bank account', what: 'The name of the bank that has this code', example: 'Bank Central Asia' },
  accountNumber: {
    needed: 'bank account',
    what: 'As text, so that zeros in front stay. Letters, digits and hyphens',
    example: '0012345678',
  },
  accountName: { needed: 'bank account', what: 'Whose account it is', example: 'A. Example' },
  walletAddress: {
    needed: 'wallet',
    what: 'In place of a bank account: an address of the currency’s network',
    example: 'TV2c3n1PyV8sfePATXTpMBnb7bCgDxfXn3',
  },
  name: { needed: 'no', what: 'The recipient’s name', example: 'A. Example' },
  email: { needed: 'no', what: 'The recipient’s email address', example: 'a@example.com' },
  note: { needed: 'no', what: 'What it is for', example: 'Salary of January' },
};
