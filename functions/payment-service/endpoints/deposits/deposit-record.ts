import * as z from 'zod';
import type { Account } from '../../domain/account.ts';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { creationActivity, depositStatuses, depositTypes } from '../../domain/deposits/deposit.ts';
import {
  cryptoInstructions,
  fiatInstructions,
  fiatInstructionsSchema,
  payerOf,
  paymentTrace,
} from '../../domain/deposits/deposit-instructions.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount, history, percentage, time } from '../answer-fields.ts';

const text = z.string().optional();

const paymentCrypto = z
  .strictObject({
    payoutWallet: z.string(),
    network: z.string(),
    memo: text.meta({ description: 'On networks that use one. The payer must include it.' }),
  })
  .meta({ id: 'CryptoPaymentInstructions', description: 'The payment details of a crypto deposit.' });

export const depositSchema = z
  .strictObject({
    depositId: z.string(),
    depositType: z.enum(depositTypes),
    userId: z.string(),
    depositBulkId: text.meta({ description: 'The bulk that the deposit belongs to. No endpoint makes bulks.' }),
    inputCurrency: z.string(),
    inputAmount: amount.meta({ description: 'The exact amount that the payer pays.' }),
    exchangeRate: amount.optional().meta({
      description: 'As in exchangeInfo; 1 when nothing is converted. Only in the sandbox update.',
    }),
    outputCurrency: z.string(),
    outputAmount: amount.meta({ description: 'The amount that the balance gains, after the fee.' }),
    fee: z.strictObject({ amount, percentage, currency: z.string() }),
    paymentFiat: fiatInstructionsSchema.optional(),
    paymentCrypto: paymentCrypto.optional(),
    transactionHash: text.meta({ description: 'Crypto, once paid.' }),
    senderWallet: text.meta({ description: 'Crypto, once paid.' }),
    status: z.enum(depositStatuses),
    activityHistory: history(depositStatuses),
    reference: text,
    note: text,
    bankNote: text.meta({ description: 'Fiat, once paid.' }),
    exchangeInfo: z
      .strictObject({ exchangeRate: amount, outputCurrency: z.string(), outputAmount: amount })
      .optional()
      .meta({
        description:
          'Present when the deposit is converted. The rate is fiat per token, or output per unit of input between two tokens or two fiat currencies. The amount is after the conversion fee.',
      }),
    payerInfo: z
      .strictObject({
        transactionCode: text,
        name: text,
        bankName: text,
        accountNumber: text,
        mid: text,
      })
      .optional()
      .meta({ description: 'Fiat, once paid.' }),
    settlementType: text.meta({ description: 'Fiat, once paid.' }),
    expiredAt: time.meta({
      description: 'From then on, it cannot be paid, unless a sandbox update has set its status.',
    }),
    paidAt: time.optional(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Deposit', description: 'A deposit. Fields without a value are left out.' });

/** The fields of one type of deposit. The payer is known once the deposit is paid. */
const fieldsOfType = (account: Account, deposit: Deposit) => {
  const isPaid = deposit.status === 'completed';
  if (deposit.depositType === 'crypto')
    return { paymentCrypto: cryptoInstructions(deposit), ...(isPaid ? paymentTrace(deposit) : {}) };
  const bankNote = `Payment of deposit ${deposit.depositId}`;
  return {
    paymentFiat: fiatInstructions(deposit, account.organizationName),
    ...(isPaid ? { bankNote, payerInfo: payerOf(deposit), settlementType: 'realtime' } : {}),
  };
};

/** A deposit as in every response. Fields without a value are left out. */
export const depositRecord = (account: Account, deposit: Deposit) => ({
  depositId: deposit.depositId,
  depositType: deposit.depositType,
  userId: account.userId,
  inputCurrency: deposit.input.currency,
  inputAmount: wireNumber(deposit.input),
  outputCurrency: deposit.output.currency,
  outputAmount: wireNumber(deposit.output),
  fee: {
    amount: wireNumber(deposit.fee),
    percentage: wireNumber(deposit.feePercentage),
    currency: deposit.fee.currency,
  },
  ...fieldsOfType(account, deposit),
  status: deposit.status,
  activityHistory: [creationActivity(deposit), ...deposit.changes],
  reference: deposit.reference,
  note: deposit.note,
  exchangeInfo:
    deposit.exchangeRate === undefined
      ? undefined
      : {
          exchangeRate: wireNumber(deposit.exchangeRate),
          outputCurrency: deposit.output.currency,
          outputAmount: wireNumber(deposit.output),
        },
  expiredAt: deposit.expiredAt,
  paidAt: deposit.paidAt,
  createdAt: deposit.createdAt,
  updatedAt: deposit.updatedAt,
});
