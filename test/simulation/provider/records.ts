import { amountNumber } from './money.ts';
import type { TruePayment } from './truth.ts';

/** A payment as the service's document shows it. */
export const recordOf = (payment: TruePayment): object => {
  const { id, groupId, rail, currency, amount, fee, reference, destination, status, createdAt } = payment;
  const at = new Date(createdAt).toISOString();
  const common = {
    disbursementId: id,
    groupId,
    amount: amountNumber(amount),
    feeAmount: amountNumber(fee),
    feePercentage: 0,
    status,
    reference,
    createdAt: at,
    updatedAt: at,
  };
  if (rail === 'crypto') {
    const [token = '', network = ''] = currency.split('-');
    return { ...common, token, network, receiverAddress: destination['walletAddress'] };
  }
  const { recipientId, bankCode, accountNumber } = destination;
  const recipient = recipientId === undefined ? { bank: { bankCode, accountNumber } } : { recipientId };
  return { ...common, currency, recipient };
};
