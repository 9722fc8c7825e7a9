import { guardedCell, unguardedCell } from '../../csv-report.ts';
import type { CsvRecords, Dialect } from './csv-records.ts';
import { csvRecords } from './csv-records.ts';
import { correctionColumns, correctionPositions, csvDialect } from './header.ts';
import { cellText, isBlank, isSeparator } from './read-csv.ts';

/** What is told of rows of a file, in its order. */
export interface Corrections {
  /** Asked of each row in turn, and of the header as row 0: what is wrong with it; undefined of a good one. */
  readonly of: (row: number) => Promise<string | undefined> | string | undefined;
  /** Good rows come back too, since nothing of the file was paid. */
  readonly withGoodRows: boolean;
}

/** A cell that nothing reads as a formula, and that needs no quotes whatever the delimiter is. */
const plain = /^[A-Za-z0-9](?:[A-Za-z0-9 ._:@/-]*[A-Za-z0-9._:@/-])?$/;

const isUtf8 = (bytes: string): boolean => !Buffer.from(bytes, 'latin1').toString('utf8').includes('\ufffd');

/** The characters of a text as bytes, one character each, which is how cells are read. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Without blanks around it: of ASCII alone, since the bytes of a letter may look like others. */
const trimmed = (bytes: string): string => bytes.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** A cell with its guards against formulas renewed, so that reading takes off what is put on. */
const guarded = (bytes: string): string => {
  const cell = trimmed(bytes);
  // Bytes of another encoding stay as they are: the merchant mends that.
  if (!isUtf8(cell)) return guardedCell(unguardedCell(cell));
  return asBytes(guardedCell(cellText(cell)));
};

const written = (bytes: string, delimiter: string): string => {
  if (bytes === '' || plain.test(bytes)) return bytes;
  const cell = guarded(bytes);
  const needsQuotes = cell.includes(delimiter) || /["\r\n]/.test(cell);
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** Writes records as lines, in the file's own delimiter and line ends. */
const lineWriter = ({ delimiter, newline }: Dialect) => {
  let lineEnd: string = newline;
  let columns = 0;
  let corrections: ReadonlySet<number> = new Set();
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => written(cell, delimiter)).join(delimiter) + lineEnd;
  /** Without what an earlier file to correct had beside it. */
  const ownOf = (record: readonly string[]): readonly string[] => record.filter((_, at) => !corrections.has(at));
  return {
    isBeforeHeader: (): boolean => columns === 0,
    /** What stands before the rows: a line `sep=`, and the header. */
    before: (record: readonly string[]): string => {
      if (newline === '\n' && record.at(-1)?.endsWith('\r') === true) lineEnd = '\r\n';
      if (isSeparator(record)) return trimmed(record.join(delimiter)) + lineEnd;
      corrections = correctionPositions(record);
      columns = record.findLastIndex((name) => name.trim() !== '') + 1;
      return line([...ownOf(record.slice(0, columns)), ...correctionColumns(undefined)]);
    },
    /**
     * A row's own cells with what is wrong behind them. A row of another width than the header keeps being one, lest it be taken
     * for a good one: a short one gets no line.
     */
    row: (record: readonly string[], error: string, at: string): string => {
      if (record.length < columns) return line([...ownOf(record), error]);
      const beside = record.slice(columns);
      return line([...ownOf(record.slice(0, columns)), ...(isBlank(beside) ? [] : beside), error, at]);
    },
  };
};

/**
 * A CSV that was read to its end as it was written, with two more columns: what is wrong with a row, and its line. Delimiter, line
 * ends, columns and a line `sep=` stay. Fixed in place it can be uploaded again.
 */
export async function* writeCorrections(
  blocks: AsyncIterable<Buffer>,
  headerLine: string,
  { of, withGoodRows }: Corrections,
): AsyncGenerator<Buffer> {
  const dialect = csvDialect(headerLine);
  const writer = lineWriter(dialect);
  let row = 0;
  const textOf = async ({ records, lines }: CsvRecords): Promise<string> => {
    let text = '';
    let index = -1;
    for (const record of records) {
      index++;
      if (isBlank(record)) continue;
      if (writer.isBeforeHeader()) {
        text += writer.before(record);
        continue;
      }
      row++;
      const told = of(row);
      const error = typeof told === 'object' ? await told : told;
      if (error !== undefined) text += writer.row(record, asBytes(error), String(lines(index)));
      else if (withGoodRows) text += writer.row(record, '', '');
    }
    return text;
  };
  for await (const records of csvRecords(blocks, dialect, () => row)) {
    const text = await textOf(records);
    if (text !== '') yield Buffer.from(text, 'latin1');
  }
}
