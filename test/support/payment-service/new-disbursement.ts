import type {
  Disbursement,
  DisbursementDraft,
} from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';

/** One item of a POST: 100 to a bank account, with a fee of 10. */
export const newDraft = (change: Partial<DisbursementDraft> = {}, currency = 'PHP'): DisbursementDraft => ({
  amount: Money.of('100', currency),
  fee: Money.of('10', currency),
  feePercentage: '0',
  recipient: {
    kind: 'bank',
    bank: { bankName: 'BDO Unibank', bankCode: 'BDO', accountName: 'Maria Reyes', accountNumber: '0012345678' },
  },
  outcome: 'standard',
  ...change,
});

/** A new disbursement of this item. Tests change the fields they are about. */
export const newDisbursement = (change: Partial<Disbursement> = {}, currency = 'PHP'): Disbursement => ({
  disbursementId: 'dsb_0123456789abcdef01234567000',
  groupId: 'grp_0123456789abcdef01234567',
  position: 0,
  accountId: 'merchant',
  rail: 'fiat',
  ...newDraft({}, currency),
  status: 'pending',
  changes: [],
  stepsTaken: 0,
  version: 1,
  changeNumber: 1,
  balanceBefore: Money.of('1000', currency),
  balanceAfter: Money.of('890', currency),
  createdAt: '2026-11-21T06:00:00.000Z',
  updatedAt: '2026-11-21T06:00:00.000Z',
  ...change,
});
