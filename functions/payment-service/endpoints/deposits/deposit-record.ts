import type { Account } from '../../domain/account.ts';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { creationActivity } from '../../domain/deposits/deposit.ts';
import {
  cryptoInstructions,
  fiatInstructions,
  payerOf,
  paymentTrace,
} from '../../domain/deposits/deposit-instructions.ts';
import { wireNumber } from '../../http/wire-json.ts';

/** What only a fiat deposit has; who paid is known once somebody has. */
const fiatPart = (account: Account, deposit: Deposit) => ({
  paymentFiat: fiatInstructions(deposit, account.organizationName),
  ...(deposit.status === 'completed'
    ? {
        bankNote: `Payment of deposit ${deposit.depositId}`,
        payerInfo: payerOf(deposit),
        settlementType: 'realtime',
      }
    : {}),
});

const cryptoPart = (deposit: Deposit) => ({
  paymentCrypto: cryptoInstructions(deposit),
  ...(deposit.status === 'completed' ? paymentTrace(deposit) : {}),
});

const exchangeInfo = ({ exchangeRate, output }: Deposit) => {
  if (exchangeRate === undefined) return undefined;
  return {
    exchangeRate: wireNumber(exchangeRate),
    outputCurrency: output.currency,
    outputAmount: wireNumber(output),
  };
};

/** A deposit as every response shows it. Fields without a value are left out. */
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
  ...(deposit.depositType === 'fiat' ? fiatPart(account, deposit) : cryptoPart(deposit)),
  status: deposit.status,
  activityHistory: [creationActivity(deposit), ...deposit.changes],
  reference: deposit.reference,
  note: deposit.note,
  exchangeInfo: exchangeInfo(deposit),
  expiredAt: deposit.expiredAt,
  paidAt: deposit.paidAt,
  createdAt: deposit.createdAt,
  updatedAt: deposit.updatedAt,
});

/** The sandbox update's response tells the rate of every deposit; nothing converted is a rate of 1. */
export const updatedDepositRecord = (account: Account, deposit: Deposit) => ({
  ...depositRecord(account, deposit),
  exchangeRate: wireNumber(deposit.exchangeRate ?? '1'),
});
