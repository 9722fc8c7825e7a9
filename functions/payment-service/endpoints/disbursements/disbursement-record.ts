import * as z from 'zod';
import type { Account } from '../../domain/account.ts';
import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import {
  bankAccount,
  bankRecipient,
  creationActivities,
  cryptoStatuses,
  fiatStatuses,
} from '../../domain/disbursements/disbursement.ts';
import { cryptoPaymentMethodOf } from '../../domain/disbursements/payment-methods.ts';
import { fiatCurrencyOf, tokenOf } from '../../domain/money/currencies.ts';
import { walletAddress } from '../../domain/wallet-address.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount, history, percentage, shownTerms, time, word } from '../answer-fields.ts';

/** The fields that fiat and crypto records share. */
const common = {
  disbursementId: z.string(),
  groupId: z.string().meta({ description: 'The group of its POST, one per currency.' }),
  amount,
  feeAmount: amount,
  feePercentage: percentage,
  createdBy: z.string(),
  reference: z.string().optional(),
  createdAt: time,
  updatedAt: time,
};

const bank = z.strictObject({ ...bankAccount.shape, currency: z.string(), country: z.string().optional() });

const verification = z.strictObject({
  outcome: z.literal('matched'),
  suppliedName: z.string(),
  bankName: z.string(),
  provider: z.string(),
  checkedAt: time,
});

export const fiatDisbursementSchema = z
  .strictObject({
    ...common,
    recipient: bankRecipient.omit({ kind: true }).extend({ bank, verification }).strict().optional(),
    currency: z.string(),
    status: word(fiatStatuses),
    activityHistory: history(fiatStatuses),
    note: z.string().optional(),
    balance: z
      .strictObject({ before: amount, after: amount })
      .meta({ description: 'The balance just before and just after the debit.' }),
    organizationId: z.string(),
    organizationName: z.string(),
    initiatedBy: z.strictObject({ userId: z.string(), name: z.string() }),
    completedAt: time.optional(),
  })
  .meta({ id: 'FiatDisbursement', description: 'A fiat disbursement. Fields without a value are left out.' });

const feeConfigSchema = z.strictObject({
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
  .meta({ description: 'Present once the transaction is sent.' });

export const cryptoDisbursementSchema = z
  .strictObject({
    ...common,
    tokenAddress: z.string().optional(),
    receiverAddress: z.string().optional(),
    token: z.string(),
    network: z.string().optional(),
    blockchainType: z.string().optional().meta({ description: 'Its letter case differs between responses.' }),
    tokenDecimal: z.int().optional(),
    feeConfig: feeConfigSchema.optional(),
    status: word(cryptoStatuses),
    activityHistory: history(cryptoStatuses),
    transactionData: transactionData.optional(),
  })
  .meta({ id: 'CryptoDisbursement', description: 'A crypto disbursement. Fields without a value are left out.' });

export const createdCryptoDisbursementSchema = cryptoDisbursementSchema
  .extend({ senderAddress: z.string().optional() })
  .meta({ id: 'CreatedCryptoDisbursement', description: 'A crypto disbursement, and the wallet that pays it.' });

const commonFields = (account: Account, one: Disbursement) => ({
  disbursementId: one.disbursementId,
  groupId: one.groupId,
  amount: wireNumber(one.amount),
  feeAmount: wireNumber(one.fee),
  feePercentage: wireNumber(one.feePercentage),
  createdBy: account.userId,
  reference: one.reference,
  createdAt: one.createdAt,
  updatedAt: one.updatedAt,
  status: one.status,
  activityHistory: [...creationActivities(one), ...one.changes],
});

const fiatRecipient = ({ recipient, amount: { currency }, createdAt }: Disbursement) => {
  if (recipient.kind === 'wallet') return undefined;
  const { kind: _, bank, ...person } = recipient;
  return {
    ...person,
    bank: { ...bank, currency, country: fiatCurrencyOf(currency)?.country },
    verification: {
      outcome: 'matched' as const,
      suppliedName: bank.accountName,
      bankName: bank.bankName,
      provider: 'sandbox',
      checkedAt: createdAt,
    },
  };
};

/** A fiat disbursement as in every response. Fields without a value are left out. */
export const fiatRecord = (account: Account, one: Disbursement) => ({
  ...commonFields(account, one),
  recipient: fiatRecipient(one),
  currency: one.amount.currency,
  note: one.note,
  balance: { before: wireNumber(one.balanceBefore), after: wireNumber(one.balanceAfter) },
  organizationId: account.organizationId,
  organizationName: account.organizationName,
  initiatedBy: { userId: account.userId, name: account.organizationName },
  completedAt: one.completedAt,
});

/** The network's fee for a transfer of a token: a constant in the sandbox. */
const gas = { gasUsed: 65_000, gasFeeEstimated: 0.0012, gasFeeActual: 0.0011, gasFeeShortfall: 0 } as const;

const feeConfig = (code: string) => {
  const method = cryptoPaymentMethodOf(code);
  return method && { currency: code, ...shownTerms(method) };
};

/** A crypto disbursement as in lists and details. */
export const cryptoRecord = (account: Account, one: Disbursement) => {
  const token = tokenOf(one.amount.currency);
  return {
    ...commonFields(account, one),
    tokenAddress: token?.tokenAddress,
    receiverAddress: one.recipient.kind === 'wallet' ? one.recipient.address : undefined,
    token: one.amount.currency,
    network: token?.network,
    blockchainType: token?.blockchainType,
    tokenDecimal: token?.decimals,
    feeConfig: feeConfig(one.amount.currency),
    transactionData: one.txHash === undefined ? undefined : { ...gas, txHash: one.txHash },
  };
};

/** The create response adds the paying wallet and has the blockchain type in capitals, as the public document notes. */
export const createdCryptoRecord = (account: Account, one: Disbursement) => {
  const token = tokenOf(one.amount.currency);
  return {
    ...cryptoRecord(account, one),
    // The wallet from which an account pays on a network never changes.
    senderAddress: token && walletAddress(token.blockchainType, account.clientId),
    blockchainType: token?.blockchainType.toUpperCase(),
  };
};
