import { tronAddress } from '../../support/wallet-addresses.ts';

/** A payout that the sandbox completes. */
export interface SettlingPayout {
  readonly reference: string;
  readonly amount: string;
  readonly currency: 'IDR' | 'usdt-tron';
  readonly bankCode: string;
  readonly bankName: string;
  readonly accountNumber: string;
  readonly accountName: string;
  readonly walletAddress: string;
}

const banks = [
  ['BCA', 'Bank Central Asia'],
  ['MANDIRI', 'Bank Mandiri'],
  ['BNI', 'Bank Negara Indonesia'],
  ['BRI', 'Bank Rakyat Indonesia'],
] as const;

/** Six bank transfers, then one to a wallet. In a multiple of 98 × 7 payouts, both currencies fill their chunks of 98. */
const oneInWallets = 7;

/** The n-th payout (from 1): the same in every run. */
const settlingPayout = (n: number, prefix: string): SettlingPayout => {
  const reference = `${prefix}-${String(n).padStart(6, '0')}`;
  const none = { bankCode: '', bankName: '', accountNumber: '', accountName: '', walletAddress: '' };
  if (n % oneInWallets === 0) {
    const walletAddress = tronAddress(`${n}`);
    return { ...none, reference, currency: 'usdt-tron', amount: `${10 + (n % 90)}.${n % 9}1`, walletAddress };
  }
  const [bankCode, bankName] = banks[n % banks.length] ?? banks[0];
  return {
    ...none,
    reference,
    currency: 'IDR',
    amount: String(10_000 + (n % 500) * 100),
    bankCode,
    bankName,
    // Ends in 00, which is none of the sandbox's special endings.
    accountNumber: `${String(n).padStart(8, '0')}00`,
    accountName: `Recipient ${n}`,
  };
};

export const settlingPayouts = (count: number, prefix: string): readonly SettlingPayout[] =>
  Array.from({ length: count }, (_, index) => settlingPayout(index + 1, prefix));

const columns = [
  'reference',
  'amount',
  'currency',
  'bankCode',
  'bankName',
  'accountNumber',
  'accountName',
  'walletAddress',
] as const satisfies readonly (keyof SettlingPayout)[];

/** The payouts as a payout file. */
export const asCsv = (payouts: readonly SettlingPayout[]): string =>
  [columns.join(','), ...payouts.map((payout) => columns.map((column) => payout[column]).join(','))].join('\n');
