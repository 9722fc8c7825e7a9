import { isTooOldToPay } from '../../domain/batch/payable-until.ts';
import type { Check } from './check.ts';

/**
 * Finds a batch that waited or was paused for so long that batches planned since may not find its debts. Nobody may release it:
 * planning the file again compares its debts anew, and records them.
 */
export const tooOldToPay: Check = ({ plan, nowMs }) => {
  if (!isTooOldToPay({ plan }, nowMs)) return undefined;
  return {
    code: 'too_old_to_pay',
    message:
      `It could be released until ${plan.payableUntil}. Batches that were planned since may owe the same debts unnoticed. ` +
      'Start the file again, to have it compared with them.',
    rows: 0,
    against: `payableUntil ${plan.payableUntil}`,
    mayBeReleased: false,
  };
};
