import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import type { Stringifier } from 'csv-stringify';
import { stringify } from 'csv-stringify';
import type { RowError } from './batch.ts';
import { guardedCell } from './formula-guard.ts';

/**
 * A CSV for people and spreadsheets: a header, then the rows written to it. No cell can be taken for a formula. Write
 * arrays in the order of the columns; read it as bytes.
 */
export const csvReport = (columns: readonly string[]): Stringifier =>
  stringify({ header: true, columns: [...columns], cast: { string: guardedCell } });

export const errorColumns = ['row', 'column', 'code', 'message'] as const;

/** Where the errors of a file go, one by one: there may be millions. */
export interface ErrorSink {
  write(error: RowError): Promise<void> | void;
}

/** A CSV being written and stored at the same time. */
export interface CsvSink {
  /** Waits when the store is slower than the writer. */
  write(row: readonly string[]): Promise<void> | void;
  /** Ends the file and waits until it is stored. Undefined when there was no row. */
  finish(): Promise<string | undefined>;
}

/**
 * A CSV report that is begun with its first row, so that an empty one leaves no file.
 *
 * @param put stores what it reads and answers the key
 */
export const csvSink = (columns: readonly string[], put: (csv: Readable) => Promise<string>): CsvSink => {
  let report: { readonly csv: Stringifier; readonly stored: Promise<string> } | undefined;
  const begin = () => {
    const csv = csvReport(columns);
    const stored = put(csv.pipe(new PassThrough()));
    // A failed upload ends the writing too; who waits for either is told by `finish`.
    stored.catch((error: unknown) =>
      csv.destroy(error instanceof Error ? error : new Error('a report was not stored')),
    );
    csv.on('error', () => undefined);
    return { csv, stored };
  };
  const drained = (csv: Stringifier): Promise<void> =>
    new Promise((resolve) => {
      const goOn = (): void => {
        csv.off('drain', goOn);
        csv.off('close', goOn);
        resolve();
      };
      csv.on('drain', goOn);
      csv.on('close', goOn);
    });
  return {
    write: (row) => {
      report ??= begin();
      if (report.csv.destroyed) return undefined;
      return report.csv.write(row) ? undefined : drained(report.csv);
    },
    finish: async () => {
      report?.csv.end();
      return report?.stored;
    },
  };
};

/** errors.csv. */
export const errorReport = (
  put: (csv: Readable) => Promise<string>,
): ErrorSink & { readonly finish: CsvSink['finish'] } => {
  const sink = csvSink(errorColumns, put);
  return {
    write: ({ row, column, code, message }) => sink.write([String(row), column, code, message]),
    finish: sink.finish,
  };
};
