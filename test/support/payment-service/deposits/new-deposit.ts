import type { Deposit } from '../../../../functions/payment-service/domain/deposits/deposit.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';

/** A new deposit of 1,000 pesos by bank transfer with a fee of 15. Tests change the fields they are about. */
export const newDeposit = (change: Partial<Deposit> = {}): Deposit => ({
  depositId: 'dep_0123456789abcdef01234567',
  accountId: 'merchant',
  depositType: 'fiat',
  input: Money.of('1000', 'PHP'),
  fee: Money.of('15', 'PHP'),
  feePercentage: '0',
  output: Money.of('985', 'PHP'),
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

/** The same as a deposit of 20 USDC on Polygon, converted into baht. */
export const newCryptoDeposit = (change: Partial<Deposit> = {}): Deposit => ({
  ...newDeposit(),
  depositType: 'crypto',
  input: Money.of('20', 'usdc-polygon'),
  fee: Money.of('0.05', 'usdc-polygon'),
  output: Money.of('678.48', 'THB'),
  conversionFee: Money.of('3.41', 'THB'),
  exchangeRate: '34.18',
  paymentMethod: undefined,
  ...change,
});
