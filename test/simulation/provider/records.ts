import { amountNumber } from './money.ts';
import type { Appearance } from './truth.ts';

/**
 * A payment as the service's document shows it.
 *
 * @param isUpdatedAtFrozen true when `updatedAt` always equals `createdAt`
 */
export const recordOf = ({ payment, word, changedAt }: Appearance, isUpdatedAtFrozen: boolean): object => {
  const { id, groupId, rail, currency, amount, fee, shownFee = fee, reference, destination, createdAt } = payment;
  const common = {
    disbursementId: id,
    groupId,
    amount: amountNumber(amount),
    feeAmount: amountNumber(shownFee),
    feePercentage: 0,
    status: word,
    ...(payment.isNameless ? {} : { reference }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(isUpdatedAtFrozen ? createdAt : changedAt).toISOString(),
  };
  if (rail === 'crypto') {
    const [token = '', network = ''] = currency.split('-');
    return { ...common, token, network, receiverAddress: destination['walletAddress'] };
  }
  const { recipientId, bankCode, accountNumber } = destination;
  const recipient = recipientId === undefined ? { bank: { bankCode, accountNumber } } : { recipientId };
  return { ...common, currency, recipient };
};
