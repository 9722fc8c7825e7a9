import type { Item } from '../../support/memory-table/expressions.ts';
import type { TruePayment } from '../provider/truth.ts';

const hasCode = ({ reason }: Item, code: string): boolean =>
  typeof reason === 'object' && reason !== null && 'code' in reason && reason.code === code;

const gaveBack = ({ words }: TruePayment): boolean => words.some((word) => word === 'failed' || word === 'canceled');

/**
 * True for a payout that a person settled as not paid although the provider had made it. That is allowed when another system used
 * its reference too, and all payments under it gave their money back. Taken over as failed, it would not be in the retry file.
 *
 * @param payments all payments under its reference, of both rails
 */
export const isSettledNotPaid = (payout: Item, payments: readonly TruePayment[]): boolean => {
  const ofItsRail = payments.filter(({ rail }) => rail === payout['rail']);
  const isSettled = payout['status'] === 'rejected' && hasCode(payout, 'settled_not_paid');
  return isSettled && ofItsRail.some(({ madeBy }) => madeBy === 'outsider') && ofItsRail.every(gaveBack);
};
