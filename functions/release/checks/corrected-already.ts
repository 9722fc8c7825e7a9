import type { Check } from './check.ts';

/** Maximum batches that the finding names. */
const maxNamed = 20;

/** Finds other corrections of a batch that pays nobody. They may pay the same rows with other amounts. */
export const correctedAlready: Check = ({ plan: { alsoCorrectedBy = [] } }) => {
  if (alsoCorrectedBy.length === 0) return undefined;
  return {
    code: 'corrected_already',
    message: `${alsoCorrectedBy.length} other batches correct the same unpaid file, and may pay it. Make sure that they pay nobody in this file.`,
    rows: 0,
    against: alsoCorrectedBy.slice(-maxNamed).join(' '),
    mayBeReleased: true,
  };
};
