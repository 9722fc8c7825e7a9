import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { plural } from '../../../functions/domain/money/format-money.ts';
import { printable, table } from '../text-table.ts';

/** Enough to start correcting the file. */
const shownErrors = 20;

/**
 * The report of a refused file: its first errors, and one sentence that says what to do.
 *
 * @param folder holds errors.csv
 */
export const refusalOf = (batch: BatchView, folder: string): string => {
  const { errors = [], rows = 0, invalidRows = 0 } = batch.plan ?? {};
  const shown = errors.slice(0, shownErrors);
  const lines = shown.map(({ row, line = '', reference = '', column, message }) => [
    row === 0 ? 'file' : String(row),
    String(line),
    printable(reference),
    printable(column),
    message,
  ]);
  const hidden = errors.length > shown.length ? ['', `These are the first ${shownErrors} errors.`] : [];
  const whole = invalidRows === 0 || errors.some(({ row }) => row === 0);
  const why = whole
    ? 'The file cannot be read'
    : `${invalidRows} of ${rows} rows ${plural(invalidRows, 'is', 'are')} bad`;
  return [
    table(['row', 'line', 'reference', 'column', 'what is wrong'], lines, { numbers: false }),
    ...hidden,
    '',
    `${why}, so nothing was paid: correct the file and run the demo again. All errors are in ${folder}/errors.csv.`,
  ].join('\n');
};
