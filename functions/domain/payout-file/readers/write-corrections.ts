import Papa from 'papaparse';
import { guardedCell, unguardedCell } from '../../report/csv-report.ts';
import type { CsvRecords, Dialect, UnreadCsv } from './csv-records.ts';
import { csvRecords, nothingAfter } from './csv-records.ts';
import { correctionColumns, correctionPositions, csvDialect, ownWidth } from './header.ts';
import { cellText, hasWidthOf, isBlank, isSeparator } from './read-csv.ts';

/** What is told of rows of a file, in its order. */
export interface Corrections {
  /** Asked of each row in turn, and of the header as row 0: what is wrong with it; undefined of a good one. */
  readonly of: (row: number) => Promise<string | undefined> | string | undefined;
  /** Good rows come back too, since nothing of the file was paid. */
  readonly withGoodRows: boolean;
  /** All of the file's text is UTF-8: a CSV comes back with a byte order mark, which Excel needs to read it so. */
  readonly isUtf8: boolean;
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

/** Where a header has both columns of an earlier file to correct; undefined when it has not. */
const pairIn = (corrections: ReadonlySet<number>): number | undefined =>
  [...corrections].find((at) => corrections.has(at + 1));

/** Writes records as lines, in the file's own delimiter and line ends. */
const lineWriter = ({ delimiter, newline }: Dialect) => {
  let lineEnd: string = newline;
  let columns = 0;
  let own = 0;
  let corrections: ReadonlySet<number> = new Set();
  /** Where `error` and `line` stand: rows that are not read keep their order. */
  let place = 0;
  let isBehind = true;
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => written(cell, delimiter)).join(delimiter) + lineEnd;
  /** Without what an earlier file to correct had beside it. */
  const ownOf = (record: readonly string[]): readonly string[] => record.filter((_, at) => !corrections.has(at));
  const placed = (cells: readonly string[], told: readonly string[], beside: readonly string[]): readonly string[] => [
    ...cells.slice(0, place),
    ...(isBehind ? [...beside, ...told] : [...told, ...cells.slice(place), ...beside]),
  ];
  return {
    isBeforeHeader: (): boolean => columns === 0,
    /** What stands before the rows: a line `sep=`, and the header with what is wrong with it. */
    before: (record: readonly string[], told: string | undefined): string => {
      if (newline === '\n' && record.at(-1)?.endsWith('\r') === true) lineEnd = '\r\n';
      if (isSeparator(record)) return trimmed(record.join(delimiter)) + lineEnd;
      columns = record.findLastIndex((name) => name.trim() !== '') + 1;
      corrections = correctionPositions(record);
      const names = ownOf(record.slice(0, columns));
      own = names.length;
      place = pairIn(corrections) ?? own;
      isBehind = place === own;
      return line(placed(names, correctionColumns(told && asBytes(told)), []));
    },
    /** What a last row lacks that has no line end: as wide as the file's own header was, it is no row that was cut off. */
    restOfLast: (text: string): string => {
      const [record, ...others] = Papa.parse<string[]>(text, { delimiter }).data;
      return record?.length === own && others.length === 0 && corrections.size === 0 ? delimiter.repeat(2) : '';
    },
    /**
     * A row's own cells with what is wrong. A row of another width than the header keeps being one, lest it be taken for a good
     * one: a short one may get no line.
     */
    row: (record: readonly string[], error: string, at: string): string => {
      const told = [error, at];
      if (record.length >= columns || hasWidthOf(record, { columns, own: ownWidth(columns, corrections) })) {
        const beside = record.slice(columns);
        return line(placed(ownOf(record.slice(0, columns)), told, isBlank(beside) ? [] : beside));
      }
      if (!isBehind) return line(record);
      const cells = ownOf(record);
      const more = [2, 1].find((count) => ![own, own + 2].includes(cells.length + count));
      return line([...cells, ...told.slice(0, more)]);
    },
  };
};

/** Characters within which the line of a mistake ends. */
const maxLineLength = 1_048_576;

/** Where the line ends before which so many end; undefined while that is not seen yet. In front may be what is left of a CRLF. */
const lineEndAfter = (text: string, lines: number): number | undefined =>
  text
    .matchAll(/(?<!^)(?:\r\n|\n|\r(?!$))/g)
    .drop(lines)
    .next().value?.index;

/**
 * Hands parts of a file on as they are, with what is wrong at the end of the line of the mistake.
 *
 * @param restOfLast what a last line without an end lacks
 */
const restWriter = (
  { delimiter }: Dialect,
  { line, at }: UnreadCsv,
  [error, place]: readonly [string, string],
  restOfLast: (text: string) => string,
) => {
  // It may stand within the quotes that are not closed.
  const cells = [error.replaceAll(/["\r\n]/g, '').replaceAll(delimiter, ' '), place];
  const told = cells.map((cell) => delimiter + cell).join('');
  /** What an earlier file to correct said of it. */
  const before = new RegExp(`[${delimiter}][^${delimiter}\\r\\n]*${nothingAfter}[${delimiter}]\\w+$`);
  let waiting: string | undefined = '';
  const withTold = (text: string, end: number): string =>
    text.slice(0, end).replace(before, '') + told + text.slice(end);
  /** What is read of the last line, once one has ended. One that is longer than a line may be is no row. */
  let lastLine: string | undefined;
  const keepLastLine = (text: string): void => {
    const ended = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    if (ended >= 0) lastLine = text.slice(ended + 1);
    else if (lastLine !== undefined) lastLine = lastLine.length > maxLineLength ? undefined : lastLine + text;
  };
  return {
    write: (text: string): string => {
      keepLastLine(text);
      if (waiting === undefined) return text;
      waiting += text;
      const end = lineEndAfter(waiting, at - line);
      if (end === undefined && waiting.length < maxLineLength) return '';
      const whole = end === undefined ? waiting : withTold(waiting, end);
      waiting = undefined;
      return whole;
    },
    end: (): string => {
      if (waiting !== undefined) return withTold(waiting, waiting.length);
      return restOfLast(lastLine ?? '');
    },
  };
};

/**
 * A CSV as it was written, with two more columns: what is wrong with a row, and its line. Delimiter, line ends, columns and a line
 * `sep=` stay. From a malformed record on it is as it came, with what is wrong at the end of that line. Fixed in place it can be
 * uploaded again.
 */
export async function* writeCorrections(
  blocks: AsyncIterable<Buffer>,
  headerLine: string,
  { of, withGoodRows }: Corrections,
): AsyncGenerator<Buffer> {
  const dialect = csvDialect(headerLine);
  const writer = lineWriter(dialect);
  let row = 0;
  let rest: ReturnType<typeof restWriter> | undefined;
  const beginRest = async (unread: UnreadCsv) => {
    const told = asBytes((await of(row + 1)) ?? '');
    const cells = writer.isBeforeHeader() ? correctionColumns(told) : ([told, String(unread.line)] as const);
    return restWriter(dialect, unread, cells, writer.restOfLast);
  };
  const headerOf = async (record: readonly string[]): Promise<string> =>
    writer.before(record, isSeparator(record) ? undefined : await of(0));
  const textOf = async ({ records, lines }: CsvRecords): Promise<string> => {
    let text = '';
    let index = -1;
    for (const record of records) {
      index++;
      if (isBlank(record)) continue;
      if (writer.isBeforeHeader()) {
        text += await headerOf(record);
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
  for await (const read of csvRecords(blocks, dialect, () => row)) {
    if ('refusal' in read) rest ??= await beginRest(read);
    const text = 'refusal' in read ? (rest?.write(read.text) ?? '') : await textOf(read);
    if (text !== '') yield Buffer.from(text, 'latin1');
  }
  if (rest !== undefined) yield Buffer.from(rest.end(), 'latin1');
}
