import type { Deposit } from '../../../functions/payment-service/domain/deposits/deposit.ts';

/** A new deposit of 1,000 pesos by bank transfer with a fee of 15, to change what a test is about. */
export const newDeposit = (change: Partial<Deposit> = {}): Deposit => ({
  depositId: 'dep_0123456789abcdef01234567',
  accountId: 'merchant',
  depositType: 'fiat',
  inputCurrency: 'PHP',
  inputAmount: '1000',
  fee: '15',
  feePercentage: '0',
  outputCurrency: 'PHP',
  outputAmount: '985',
  paymentMethod: 'BDO',
  outcome: 'standard',
  status: 'pending',
  changes: [],
  version: 1,
  listNumber: 1,
  changeNumber: 1,
  createdAt: '2026-11-21T06:00:00.000Z',
  updatedAt: '2026-11-21T06:00:00.000Z',
  expiredAt: '2026-11-21T07:00:00.000Z',
  ...change,
});

/** The same as 20 USDC on Polygon, converted into baht. */
export const newCryptoDeposit = (change: Partial<Deposit> = {}): Deposit => ({
  ...newDeposit(),
  depositType: 'crypto',
  inputCurrency: 'usdc-polygon',
  inputAmount: '20',
  fee: '0.05',
  outputCurrency: 'THB',
  outputAmount: '678.48',
  conversionFee: '3.41',
  exchangeRate: '34.18',
  paymentMethod: undefined,
  ...change,
});
