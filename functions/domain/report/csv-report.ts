import type { Readable } from 'node:stream';
import type { Stringifier } from 'csv-stringify';
import { stringify } from 'csv-stringify';
import { storedWhileWritten } from './stored-while-written.ts';

/**
 * Finds the places where a spreadsheet would see a formula: a cell that begins with one of these signs, or their full-width
 * forms.
 *
 * In many countries spreadsheets are set to semicolons, and then ignore our quotes. They start a cell after a semicolon or tab,
 * and a row after a line break. Spaces and quotes before the sign do not stop it.
 */
const bare = /(^|[;\t\r\n])([ "]*'*)(?=[=+\-@＝＋－＠])/g;
const guarded = /(^|[;\t\r\n])([ "]*'*)'(?=[=+\-@＝＋－＠])/g;
const blank = /^(?=[\t\r\n])/;

/** Guards a cell: puts a quote before everything a spreadsheet would run, which makes it text. */
export const guardedCell = (cell: string): string => cell.replaceAll(bare, "$1$2'").replace(blank, "'");

/** Reverses guardedCell for a trimmed cell, so that a retry file can be uploaded unchanged. */
export const unguardedCell = (cell: string): string => (cell.includes("'") ? cell.replaceAll(guarded, '$1$2') : cell);

/**
 * A CSV for people and spreadsheets: a header, then the rows written to it. No cell can be taken for a formula. It begins with a
 * byte order mark. Without one, Excel assumes the encoding of its own country and garbles names. Write arrays in the order of the
 * columns, and read bytes.
 */
export const csvReport = (columns: readonly string[]): Stringifier =>
  stringify({ bom: true, header: true, columns: [...columns], cast: { string: guardedCell } });

/** A CSV report that `put` stores while it is written. It starts with the first row, so an empty report leaves no file. */
export const csvSink = <Stored>(columns: readonly string[], put: (csv: Readable) => Promise<Stored>) =>
  storedWhileWritten<readonly string[], Stored>(() => csvReport(columns), put);
