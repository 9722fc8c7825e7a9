import * as z from 'zod';
import { cryptoStatuses, fiatStatuses } from '../../domain/disbursements/disbursement.ts';
import { amount, percentage, time, word } from './fields.ts';

const activityHistory = (statuses: readonly string[]) =>
  z.array(z.strictObject({ activity: z.string(), status: word(statuses), description: z.string(), updatedAt: time }));

/** What fiat and crypto records have in common. */
const common = {
  disbursementId: z.string(),
  groupId: z.string().meta({ description: 'Of the batch that it was created in.' }),
  amount,
  feeAmount: amount,
  feePercentage: percentage,
  createdBy: z.string(),
  reference: z.string().optional(),
  createdAt: time,
  updatedAt: time,
};

const bank = z.strictObject({
  bankName: z.string(),
  accountName: z.string(),
  accountNumber: z.string(),
  bankCode: z.string(),
  currency: z.string(),
  country: z.string().optional(),
});

const verification = z.strictObject({
  outcome: z.literal('matched'),
  suppliedName: z.string(),
  bankName: z.string(),
  provider: z.string(),
  checkedAt: time,
});

export const fiatDisbursement = z
  .strictObject({
    ...common,
    recipient: z
      .strictObject({
        recipientId: z.string().optional().meta({ description: 'Absent when bank details were given directly.' }),
        email: z.string().optional(),
        name: z.string().optional(),
        bank,
        verification,
      })
      .optional(),
    currency: z.string(),
    status: word(fiatStatuses),
    activityHistory: activityHistory(fiatStatuses),
    note: z.string().optional(),
    balance: z
      .strictObject({ before: amount, after: amount })
      .meta({ description: 'The balance just before and just after it was debited.' }),
    organizationId: z.string(),
    organizationName: z.string(),
    initiatedBy: z.strictObject({ userId: z.string(), name: z.string() }),
    completedAt: time.optional(),
  })
  .meta({ id: 'FiatDisbursement', description: 'A fiat disbursement. Fields without a value are left out.' });

const feeConfig = z.strictObject({
  currency: z.string(),
  minAmount: amount,
  maxAmount: amount,
  feePercentage: percentage,
  feeFlat: amount,
});

const transactionData = z
  .strictObject({
    gasUsed: z.number(),
    gasFeeEstimated: z.number(),
    gasFeeActual: z.number(),
    gasFeeShortfall: z.number(),
    txHash: z.string(),
  })
  .meta({ description: 'Once it was sent.' });

const crypto = {
  ...common,
  tokenAddress: z.string().optional(),
  receiverAddress: z.string().optional(),
  token: z.string(),
  network: z.string().optional(),
  blockchainType: z.string().optional().meta({ description: 'The letter case differs between responses.' }),
  tokenDecimal: z.int().optional(),
  feeConfig: feeConfig.optional(),
  status: word(cryptoStatuses),
  activityHistory: activityHistory(cryptoStatuses),
  transactionData: transactionData.optional(),
};

export const cryptoDisbursement = z
  .strictObject(crypto)
  .meta({ id: 'CryptoDisbursement', description: 'A crypto disbursement. Fields without a value are left out.' });

const createdCryptoDisbursement = z
  .strictObject({ ...crypto, senderAddress: z.string().optional() })
  .meta({ id: 'CreatedCryptoDisbursement', description: 'A crypto disbursement, and the wallet that pays it.' });

const sums = { sumFees: amount, sumAmount: amount };

export const createdFiatDisbursements = z.strictObject({
  totalRecipient: z.int(),
  disburseData: z.array(fiatDisbursement),
  ...sums,
});

const totals = z.array(z.strictObject({ currency: z.string(), totalAmount: amount }));

export const createdFiatDisbursementsV1 = z.strictObject({
  totalRecipient: z.int(),
  disburseData: z.array(fiatDisbursement),
  sumFees: totals,
  sumAmount: totals,
});

export const createdCryptoDisbursements = z.strictObject({
  totalReceiver: z.int(),
  disburseData: z.array(createdCryptoDisbursement),
  ...sums,
});

export const cryptoFeeEstimate = z.strictObject({ token: z.string(), amount, fee: amount });
