import { plural } from '../../domain/money/format-money.ts';
import type { Check } from './check.ts';
import { repeatingRows } from './repeated-debts.ts';

/** Finds rows of a correction that repeat a debt of the corrected batch, or of another correction. Those pay it. */
export const repeatsCorrected: Check = ({ plan: { repeatedDebts } }) => {
  const rows = repeatedDebts?.ofCorrected ?? 0;
  if (repeatedDebts === undefined || rows === 0) return undefined;
  return {
    code: 'repeats_corrected',
    message: `${repeatingRows(rows)} a debt of the batch that this one corrects, or of another correction, which pays ${plural(rows, 'it', 'them')}. Take ${plural(rows, 'it', 'them')} out. To pay a debt twice, start the file without corrects.`,
    rows,
    against: `${repeatedDebts.list.key} SHA-256 ${repeatedDebts.list.sha256}`,
    mayBeReleased: false,
  };
};
