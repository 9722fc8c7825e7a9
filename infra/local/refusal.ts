import type { BatchView } from '../../functions/api/schemas/batch.ts';
import { plural } from '../../functions/domain/money-text.ts';
import { table } from './text-table.ts';

/** Errors that are shown; a person mends the first and tries again. */
const shownErrors = 20;

/** The file names its columns: nothing in a name may steer the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '?');

/**
 * What a person is told of a file that was refused: its first errors, and in one sentence what that means.
 *
 * @param folder where errors.csv was put
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
    `${why}, so nothing was paid: mend the file and run the demo again. All errors are in ${folder}/errors.csv.`,
  ].join('\n');
};
