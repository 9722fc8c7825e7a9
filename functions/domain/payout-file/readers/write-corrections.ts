import Papa from 'papaparse';
import { guardedCell, unguardedCell } from '../../report/csv-report.ts';
import type { CsvRecords, Dialect, UnreadCsv } from './csv-records.ts';
import { csvRecords, nothingAfter } from './csv-records.ts';
import { correctionColumns, correctionPositions, csvDialect, ownWidth } from './header.ts';
import { cellText, hasWidthOf, isBlank, isSeparator } from './read-csv.ts';

/** The errors of a file's rows, in its order. */
export interface Corrections {
  /** Called for each row in turn, and with 0 for the header. Returns the row's error; undefined when the row is valid. */
  readonly errorOf: (row: number) => Promise<string | undefined> | string | undefined;
  /** True when valid rows are included, because nothing of the file was paid. */
  readonly withGoodRows: boolean;
  /** True when the whole file is UTF-8. The CSV then gets a byte order mark, which Excel needs to read it correctly. */
  readonly isUtf8: boolean;
}

/** Matches a cell that cannot be read as a formula and needs no quotes, whatever the delimiter. */
const plain = /^[A-Za-z0-9](?:[A-Za-z0-9 ._:@/-]*[A-Za-z0-9._:@/-])?$/;

const isUtf8 = (bytes: string): boolean => !Buffer.from(bytes, 'latin1').toString('utf8').includes('\ufffd');

/** A text as one character per byte, which is how cells are read. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Removes ASCII white space around a cell. Other bytes may be part of a letter. */
const trimmed = (bytes: string): string => bytes.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** A cell with its guard against formulas renewed. Reading removes exactly what writing adds. */
const guarded = (bytes: string): string => {
  const cell = trimmed(bytes);
  // Bytes in another encoding stay unchanged: the merchant corrects them.
  if (!isUtf8(cell)) return guardedCell(unguardedCell(cell));
  return asBytes(guardedCell(cellText(cell)));
};

const written = (bytes: string, delimiter: string): string => {
  if (bytes === '' || plain.test(bytes)) return bytes;
  const cell = guarded(bytes);
  const needsQuotes = cell.includes(delimiter) || /["\r\n]/.test(cell);
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
};

/** Writes the records of a file with this header as lines, with the file's own delimiter and line ends. */
const lineWriter = (header: readonly string[], delimiter: string, lineEnd: string) => {
  const columns = header.findLastIndex((name) => name.trim() !== '') + 1;
  const corrections = correctionPositions(header);
  /** The row's own cells, without those that an earlier corrections file added. */
  const ownOf = (record: readonly string[]): readonly string[] => record.filter((_, at) => !corrections.has(at));
  const names = ownOf(header.slice(0, columns));
  const own = names.length;
  /**
   * Position of the `error` and `line` columns. It stays where an earlier corrections file had this pair, because rows
   * that cannot be read keep their order.
   */
  const place = [...corrections].find((at) => corrections.has(at + 1)) ?? own;
  const isBehind = place === own;
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => written(cell, delimiter)).join(delimiter) + lineEnd;
  const placed = (cells: readonly string[], note: readonly string[], beside: readonly string[]): readonly string[] => [
    ...cells.slice(0, place),
    ...(isBehind ? [...beside, ...note] : [...note, ...cells.slice(place), ...beside]),
  ];
  return {
    header: (error: string | undefined): string => line(placed(names, correctionColumns(error && asBytes(error)), [])),
    /**
     * Completes a last row without a line end. It adds the two empty cells when the row is as wide as the original
     * header; otherwise it would look cut off.
     */
    restOfLast: (text: string): string => {
      const [record, ...others] = Papa.parse<string[]>(text, { delimiter }).data;
      return record?.length === own && others.length === 0 && corrections.size === 0 ? delimiter.repeat(2) : '';
    },
    /**
     * Writes a row's own cells with its error. A row of the wrong width must keep a wrong width, or it would pass as
     * valid. So a short row may get no `line` cell.
     */
    row: (record: readonly string[], error: string, at: string): string => {
      const note = [error, at];
      if (record.length >= columns || hasWidthOf(record, { columns, own: ownWidth(columns, corrections) })) {
        const beside = record.slice(columns);
        return line(placed(ownOf(record.slice(0, columns)), note, isBlank(beside) ? [] : beside));
      }
      if (!isBehind) return line(record);
      const cells = ownOf(record);
      const more = [2, 1].find((count) => ![own, own + 2].includes(cells.length + count));
      return line([...cells, ...note.slice(0, more)]);
    },
  };
};

/** The mistake's line is expected to end within this many characters. */
const maxLineLength = 1_048_576;

/**
 * Position of the line end that follows `lines` others. Undefined until it was read. A leftover half of a CRLF may come
 * first.
 */
const lineEndAfter = (text: string, lines: number): number | undefined =>
  text
    .matchAll(/(?<!^)(?:\r\n|\n|\r(?!$))/g)
    .drop(lines)
    .next().value?.index;

/**
 * Copies the unreadable rest of a file, and adds the error at the end of the mistake's line.
 *
 * @param restOfLast completes a last line without a line end
 */
const restWriter = (
  { delimiter }: Dialect,
  { line, at }: UnreadCsv,
  [error, place]: readonly [string, string],
  restOfLast: (text: string) => string,
) => {
  // The cell may end up inside the unclosed quotes, so it has no quotes, line ends or delimiters.
  const cells = [error.replaceAll(/["\r\n]/g, '').replaceAll(delimiter, ' '), place];
  const note = cells.map((cell) => delimiter + cell).join('');
  /** Matches the error that an earlier corrections file added here. */
  const earlierNote = new RegExp(`[${delimiter}][^${delimiter}\\r\\n]*${nothingAfter}[${delimiter}]\\w+$`);
  let waiting: string | undefined = '';
  const withNote = (text: string, end: number): string =>
    text.slice(0, end).replace(earlierNote, '') + note + text.slice(end);
  /** The start of the last line, once an earlier line has ended. Undefined when it exceeds the limit: then it is no row. */
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
      const whole = end === undefined ? waiting : withNote(waiting, end);
      waiting = undefined;
      return whole;
    },
    end: (): string => {
      if (waiting !== undefined) return withNote(waiting, waiting.length);
      return restOfLast(lastLine ?? '');
    },
  };
};

/**
 * Writes a CSV as it was, with two more columns: each row's error and its line. Delimiter, line ends, columns and a
 * `sep=` line stay. From a malformed record on the text is copied, with the error at the end of the mistake's line.
 * Corrected in place, the file can be uploaded again.
 */
export async function* writeCorrections(
  blocks: AsyncIterable<Buffer>,
  headerLine: string,
  { errorOf, withGoodRows }: Corrections,
): AsyncGenerator<Buffer> {
  const dialect = csvDialect(headerLine);
  const { delimiter, newline } = dialect;
  let lineEnd: string = newline;
  let writer: ReturnType<typeof lineWriter> | undefined;
  let row = 0;
  let rest: ReturnType<typeof restWriter> | undefined;
  const beginRest = async (unread: UnreadCsv) => {
    const error = asBytes((await errorOf(row + 1)) ?? '');
    const cells = writer === undefined ? correctionColumns(error) : ([error, String(unread.line)] as const);
    return restWriter(dialect, unread, cells, writer?.restOfLast ?? (() => ''));
  };
  /** Writes the lines before the rows: `sep=`, and the header with its error. */
  const linesBeforeRows = async (record: readonly string[]): Promise<string> => {
    if (newline === '\n' && record.at(-1)?.endsWith('\r') === true) lineEnd = '\r\n';
    if (isSeparator(record)) return trimmed(record.join(delimiter)) + lineEnd;
    writer = lineWriter(record, delimiter, lineEnd);
    return writer.header(await errorOf(0));
  };
  const textOf = async ({ records, lines }: CsvRecords): Promise<string> => {
    let text = '';
    let index = -1;
    for (const record of records) {
      index++;
      if (isBlank(record)) continue;
      if (writer === undefined) {
        text += await linesBeforeRows(record);
        continue;
      }
      row++;
      const error = await errorOf(row);
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
