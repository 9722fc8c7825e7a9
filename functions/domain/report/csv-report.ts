import type { Readable } from 'node:stream';
import type { Stringifier } from 'csv-stringify';
import { stringify } from 'csv-stringify';
import { storedWhileWritten } from './stored-while-written.ts';

/**
 * Where a spreadsheet would find something to run: a cell that begins with one of these signs (full-width ones too, where the
 * language has them). A spreadsheet set to semicolons, as in much of the world, also begins a cell after a semicolon or a
 * tab inside of ours, and a row after a line break, since it does not see our quotes as quotes; spaces and quotes before
 * the sign do not stop it.
 */
const bare = /(^|[;\t\r\n])([ "]*'*)(?=[=+\-@＝＋－＠])/g;
const guarded = /(^|[;\t\r\n])([ "]*'*)'(?=[=+\-@＝＋－＠])/g;
const blank = /^(?=[\t\r\n])/;

/** A cell with a quote before whatever a spreadsheet would run: that makes it text. */
export const guardedCell = (cell: string): string => cell.replaceAll(bare, "$1$2'").replace(blank, "'");

/** A trimmed cell as it was before guardedCell, so that a retry file can be uploaded as it is. */
export const unguardedCell = (cell: string): string => (cell.includes("'") ? cell.replaceAll(guarded, '$1$2') : cell);

/**
 * A CSV for people and spreadsheets: a header, then the rows written to it. No cell can be taken for a formula. It begins with
 * a byte order mark: without one Excel takes UTF-8 for the encoding of its own country, and names come out wrong. Write arrays
 * in the order of the columns; read it as bytes.
 */
export const csvReport = (columns: readonly string[]): Stringifier =>
  stringify({ bom: true, header: true, columns: [...columns], cast: { string: guardedCell } });

/** A CSV report that `put` stores while it is written. Begun with its first row: an empty one leaves no file. */
export const csvSink = <Stored>(columns: readonly string[], put: (csv: Readable) => Promise<Stored>) =>
  storedWhileWritten<readonly string[], Stored>(() => csvReport(columns), put);
