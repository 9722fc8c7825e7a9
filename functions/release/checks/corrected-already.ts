import type { Check } from './check.ts';

/** Most batches that are named. */
const mostNamed = 20;

/** Another correction of a batch that was refused whole, which may pay the same rows with other amounts. */
export const correctedAlready: Check = ({ plan: { alsoCorrectedBy = [] } }) =>
  alsoCorrectedBy.length === 0
    ? []
    : [
        {
          code: 'corrected_already',
          message: `${alsoCorrectedBy.length} other batches correct the same refused file, and pay it or may pay it. Make sure that nobody here is paid there.`,
          rows: 0,
          against: alsoCorrectedBy.slice(-mostNamed).join(' '),
          mayBeReleased: true,
        },
      ];
