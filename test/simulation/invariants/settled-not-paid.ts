import type { Item } from '../../support/memory-table/expressions.ts';
import type { TruePayment } from '../provider/truth.ts';
import { reasonCode } from './reason-code.ts';

const isBack = (word: TruePayment['status']): boolean => word === 'failed' || word === 'canceled';

/** True while a payment's money is back. */
export const isMoneyBack = ({ status }: TruePayment): boolean => isBack(status);
/** True when a payment's money was back at some time. */
export const wasMoneyBack = ({ words }: TruePayment): boolean => words.some(isBack);

/**
 * True for a payout that a person settled as not paid although the provider had made it. That is allowed when another system used
 * its reference too, and all payments under it gave their money back. Taken over as failed, it would not be in the retry file.
 *
 * @param payments all payments under its reference, of both rails
 * @param gaveBack `isMoneyBack` when it is settled, and `wasMoneyBack` at the end
 */
export const isSettledNotPaid = (
  payout: Item,
  payments: readonly TruePayment[],
  gaveBack: (payment: TruePayment) => boolean,
): boolean => {
  const ofItsRail = payments.filter(({ rail }) => rail === payout['rail']);
  const isSettled = payout['status'] === 'rejected' && reasonCode(payout) === 'settled_not_paid';
  return isSettled && ofItsRail.some(({ madeBy }) => madeBy === 'outsider') && ofItsRail.every(gaveBack);
};
