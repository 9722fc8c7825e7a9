import type {
  Disbursement,
  DisbursementDraft,
} from '../../../functions/payment-service/domain/disbursements/disbursement.ts';

/** What a POST asks for: 100.00 to a bank account, for a fee of 10.00. */
export const newDraft = (change: Partial<DisbursementDraft> = {}): DisbursementDraft => ({
  amount: '100',
  fee: '10',
  feePercentage: '0',
  recipient: {
    kind: 'bank',
    bank: { bankName: 'BDO Unibank', bankCode: 'BDO', accountName: 'Maria Reyes', accountNumber: '0012345678' },
  },
  outcome: 'standard',
  ...change,
});

/** The disbursement that it makes, new, to change what a test is about. */
export const newDisbursement = (change: Partial<Disbursement> = {}): Disbursement => ({
  disbursementId: 'dsb_0123456789abcdef01234567000',
  groupId: 'grp_0123456789abcdef01234567',
  position: 0,
  accountId: 'merchant',
  rail: 'fiat',
  currency: 'PHP',
  ...newDraft(),
  status: 'pending',
  changes: [],
  stepsTaken: 0,
  version: 1,
  changeNumber: 1,
  balanceBefore: '1000',
  balanceAfter: '890',
  createdAt: '2026-11-21T06:00:00.000Z',
  updatedAt: '2026-11-21T06:00:00.000Z',
  ...change,
});
