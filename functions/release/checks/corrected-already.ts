import { plural } from '../../domain/money/format-money.ts';
import type { Check } from './check.ts';

/** Maximum batches that the finding names. */
const maxNamed = 20;

/** Finds other corrections of a batch that pays nobody. They may pay the same rows with other amounts. */
export const correctedAlready: Check = ({ plan: { alsoCorrectedBy = [] } }) => {
  if (alsoCorrectedBy.length === 0) return undefined;
  const count = alsoCorrectedBy.length;
  return {
    code: 'corrected_already',
    message: `${count} other ${plural(count, 'batch corrects', 'batches correct')} the same unpaid file, and may pay it. Make sure that nobody in this file is paid there.`,
    rows: 0,
    against: alsoCorrectedBy.slice(-maxNamed).join(' '),
    mayBeReleased: true,
  };
};
