import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import type { Stringifier } from 'csv-stringify';
import { stringify } from 'csv-stringify';

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

/** A trimmed cell as it was before guardedCell, so that retry.csv can be uploaded as it is. */
export const unguardedCell = (cell: string): string => (cell.includes("'") ? cell.replaceAll(guarded, '$1$2') : cell);

/**
 * A CSV for people and spreadsheets: a header, then the rows written to it. No cell can be taken for a formula. Write
 * arrays in the order of the columns; read it as bytes.
 */
export const csvReport = (columns: readonly string[]): Stringifier =>
  stringify({ header: true, columns: [...columns], cast: { string: guardedCell } });

const noMatter = (): void => undefined;

/** A CSV report that `put` stores while it is written. Begun with its first row: an empty one leaves no file. */
export const csvSink = <Stored>(columns: readonly string[], put: (csv: Readable) => Promise<Stored>) => {
  let report: { readonly csv: Stringifier; readonly stored: Promise<Stored> } | undefined;
  const begin = () => {
    const csv = csvReport(columns);
    const stored = put(csv.pipe(new PassThrough()));
    // A failed upload ends the writing too; who waits for either is told by `finish`.
    stored.catch((error: unknown) =>
      csv.destroy(error instanceof Error ? error : new Error('a report was not stored')),
    );
    csv.on('error', noMatter);
    return { csv, stored };
  };
  return {
    /** Waits when the store is slower than the writer. */
    write: (row: readonly string[]): Promise<void> | void => {
      report ??= begin();
      if (report.csv.destroyed || report.csv.write(row)) return undefined;
      return once(report.csv, 'drain').then(noMatter, noMatter);
    },
    /** Ends the file and answers what `put` does once it is stored. Undefined when there was no row. */
    finish: async (): Promise<Stored | undefined> => {
      report?.csv.end();
      return report?.stored;
    },
  };
};
