import { plural } from '../../domain/money/format-money.ts';
import type { Check } from './check.ts';
import { repeatingRows } from './repeated-debts.ts';

/** Rows of a correction that repeat a debt of what it corrects, or of another correction: they are paid there. */
export const repeatsCorrected: Check = ({ plan: { repeatedDebts } }) => {
  const rows = repeatedDebts?.ofCorrected ?? 0;
  if (repeatedDebts === undefined || rows === 0) return [];
  return [
    {
      code: 'repeats_corrected',
      message: `${repeatingRows(rows)} a debt of the batch that this one corrects, or of another correction, which pays ${plural(rows, 'it', 'them')}. Take ${plural(rows, 'it', 'them')} out. What is owed twice is started without corrects.`,
      rows,
      against: `${repeatedDebts.list.key} SHA-256 ${repeatedDebts.list.sha256}`,
      mayBeReleased: false,
    },
  ];
};
