import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { fieldNamed } from '../payout-file/fields.ts';
import { packedWorkbook } from '../payout-file/packed-workbook.ts';
import { beginSheet, styleOf, textRow } from '../payout-file/written-workbook.ts';
import { guardedCell, unguardedCell } from './csv-report.ts';
import { storedWhileWritten } from './stored-while-written.ts';

/**
 * A workbook's text is never a formula. Only text that a reader would take for guarded gets a guard, so that it reads back
 * unchanged.
 */
const readable = (text: string): string => (unguardedCell(text) === text ? text : guardedCell(text));

/**
 * A workbook for people and spreadsheets: a header, then the rows written to it. All cells are text, so leading zeros stay. An
 * amount typed over becomes a number, as in the template. Write arrays in the order of the columns, and read bytes.
 */
export const workbookReport = (columns: readonly string[]): Transform => {
  const workbook = packedWorkbook();
  const styles = columns.map((name) => styleOf(fieldNamed(name) === 'amount' ? 'plain' : 'text'));
  const widths = styles.map((style) => ({ width: 18, style }));
  workbook.write(beginSheet(widths, 1) + textRow(columns.map(readable), () => styleOf('heading')));
  return new Transform({
    writableObjectMode: true,
    transform(cells: readonly string[], _encoding, done) {
      workbook.write(textRow(cells.map(readable), (at) => styles[at] ?? styleOf('text')));
      for (const bytes of workbook.take()) this.push(bytes);
      done();
    },
    flush(done) {
      workbook.end();
      for (const bytes of workbook.take()) this.push(bytes);
      done();
    },
  });
};

/** A workbook that `put` stores while it is written. It starts with the first row, so an empty report leaves no file. */
export const workbookSink = <Stored>(columns: readonly string[], put: (workbook: Readable) => Promise<Stored>) =>
  storedWhileWritten<readonly string[], Stored>(() => workbookReport(columns), put);
