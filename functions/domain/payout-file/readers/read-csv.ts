import Papa from 'papaparse';
import type { RowError } from '../../batch.ts';
import { unguardedCell } from '../../csv-report.ts';
import type { Extras } from '../extra-columns.ts';
import { ExtraColumns, noExtras } from '../extra-columns.ts';
import type { FileRow, PayoutField } from '../fields.ts';
import { fieldLimits, fileRow, refuseFile } from '../fields.ts';
import type { CsvHeader } from './header.ts';
import { csvDialect, csvHeader, withoutSeparatorLine } from './header.ts';

/** No row has so many. An opened quote that nobody closes would gather the whole file, and be parsed again with each text. */
const maxRecordBytes = 65_536;

/** A text's rows are in memory together: with four times as many, planning a million took a third more time and 80 MB. */
const textBytes = 16_384;

const malformed = {
  endless: (line: number) => `The row that begins on line ${line} goes on for more than 65,536 bytes.`,
  open: (line: number) => `A quote that is opened on line ${line} is never closed.`,
  goesOn: (line: number) =>
    `A quote that is opened on line ${line} is closed within its field, which goes on. Write a quote inside a quoted field twice.`,
  inside: (line: number) =>
    `A quote stands inside a field of line ${line} that is not quoted. Put quotes around the field and write it twice.`,
} as const;

/** @param row that cannot be read, which begins on `line`; `at` is the line of the mistake */
const refusal = (what: keyof typeof malformed, row: number, line: number, at: number) =>
  refuseFile('malformed_csv', `${malformed[what](at)} Nothing after it can be read.`, row, line);

const cutOff = ({ row, message }: RowError, line: number | undefined) => {
  const last = `${message} It is the last row and has no line end: the file was probably cut off.`;
  return refuseFile('malformed_csv', last, row, line);
};

type Dialect = ReturnType<typeof csvDialect>;

/** Whether each quote of a text opens a field or closes one, as most do: then no value has any. */
const areQuotesAround = (text: string, { delimiter, newline }: Dialect): boolean => {
  const isEdge = (at: number): boolean => {
    const character = text[at];
    return character === undefined || character === delimiter || character === newline;
  };
  for (let opens = text.indexOf('"'); opens >= 0; ) {
    const closes = text.indexOf('"', opens + 1);
    if (closes < 0 || !isEdge(opens - 1) || !isEdge(closes + 1)) return false;
    opens = text.indexOf('"', closes + 1);
  }
  return true;
};

/** How many records come before one with a quote in a field that is not quoted, which papaparse reads as it stands. */
const withoutQuoteInside = (text: string, records: readonly string[][], dialect: Dialect): number => {
  if (areQuotesAround(text, dialect)) return records.length;
  let at = 0;
  const isInside = (value: string): boolean => {
    if (!value.includes('"')) return false;
    const quoted = `"${value.replaceAll('"', '""')}"`;
    at = text.indexOf(quoted, at) + quoted.length;
    return at < quoted.length;
  };
  const first = records.findIndex((record) => record.some(isInside));
  return first < 0 ? records.length : first;
};

/** How many lines a text ends, as an editor counts them: a CRLF ends one. */
const lineEnds = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/** Where the quote stands that opens a field and is not closed; the text is of one record, as far as it was read. */
const openQuote = (text: string, delimiter: string): number | undefined => {
  for (let at = 0; ; ) {
    let closed = at;
    if (text[at] === '"') {
      do {
        closed = text.indexOf('"', closed + 1);
        if (closed < 0) return at;
      } while (text[closed + 1] === '"' && ++closed);
    }
    const next = text.indexOf(delimiter, closed);
    if (next < 0) return undefined;
    at = next + 1;
  }
};

/** Whether each record of a text, up to a place in it, is a line: then no line need be counted. */
const haveOneLineEach = (text: string, until: number, records: number, { newline }: Dialect): boolean => {
  if (newline === '\r' || /\r(?!\n)/.test(text)) return false;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) lines++;
  return lines === records;
};

/** Lines of a record, the one it ends included. Of a CRLF one character may be left in its first cell, or its last. */
const linesOf = (record: readonly string[]): number => {
  const text = record.join(',').replace(/^\n/, '').replace(/\r$/, '');
  return lineEnds(text) + 1;
};

/**
 * The whole records of a text up to the first malformed one, and the rest of the text. Papaparse's own streams break
 * characters that stand across two blocks; its parser takes texts and tells where a last record begins that may go on.
 */
const parseText = (parser: Papa.Parser, text: string, dialect: Dialect) => {
  const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, true);
  // An error in the last record may be for want of its rest.
  const closed = data.slice(0, errors[0]?.row);
  const sound = withoutQuoteInside(text.slice(0, meta.cursor), closed, dialect);
  const wrong: keyof typeof malformed = sound < closed.length ? 'inside' : 'goesOn';
  const opened = errors[0]?.index;
  return {
    records: closed.slice(0, sound),
    areOneLineEach: haveOneLineEach(text, meta.cursor, data.length, dialect),
    wrong: sound < data.length ? wrong : undefined,
    /** Lines that end before the quote that is wrong. */
    linesBefore: wrong === 'goesOn' && opened !== undefined ? lineEnds(text.slice(0, opened)) : undefined,
    rest: text.slice(meta.cursor),
  };
};

const noProblems: readonly RowError[] = [];

/** A cell that is taken as it is, as most are: printable ASCII, no space around it, no quote that guards a formula. */
const asItIs = /^[!-&(-~](?:[ -&(-~]*[!-&(-~])?$/;

/** The text of a cell that was read with a character for each byte. */
const cellText = (bytes: string): string =>
  asItIs.test(bytes) ? bytes : unguardedCell(Buffer.from(bytes, 'latin1').toString('utf8').trim());

/** What a cell with text begins with, as most do: printable ASCII, no space, no quote that guards a formula. */
const beginsText = (bytes: string): boolean => {
  const first = bytes.charCodeAt(0);
  return first > 0x27 && first < 0x7f;
};

const isBlank = (record: readonly string[]): boolean =>
  record.every((bytes) => bytes === '' || (!beginsText(bytes) && cellText(bytes) === ''));

/** @param delimiter as the file has it */
const widthProblem = (
  record: readonly string[],
  columns: number,
  row: number,
  delimiter: string,
): readonly RowError[] => {
  if (record.length > columns && isBlank(record.slice(columns))) return [];
  const named = delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
  const hint =
    record.length > columns
      ? `Put quotes around a value that has ${named} in it.`
      : `Write ${named} for each empty field too.`;
  const message = `The row has ${record.length} fields and the header has ${columns}. ${hint}`;
  return [{ row, column: '', code: 'wrong_number_of_fields', message }];
};

/** Whatever the delimiter: `sep=;` has one or two cells. */
const isSeparator = (record: readonly string[]): boolean => withoutSeparatorLine(record.join('').trim()) === '';

const extrasOf = (record: readonly string[], extras: CsvHeader['extras']): Extras =>
  extras.length === 0
    ? noExtras
    : Object.fromEntries(extras.map(({ name, position }) => [name, cellText(record[position] ?? '')]));

/** Makes rows of records: the first is the header, blank ones do not count. */
const rowMaker = ({ delimiter }: Dialect, extraColumns: ExtraColumns) => {
  let header: CsvHeader | undefined;
  let row = 0;
  let nextLine = 1;
  const rowOf = (record: readonly string[], line: number, { positions, columns, extras }: CsvHeader): FileRow => {
    row++;
    let isPlain = true;
    const textOf = (field: PayoutField): string => {
      const position = positions[field];
      const bytes = position === undefined ? '' : record[position];
      if (bytes === undefined || bytes === '') return '';
      if (asItIs.test(bytes) && bytes.length <= fieldLimits[field]) return bytes;
      isPlain = false;
      return cellText(bytes);
    };
    const problems = record.length === columns ? noProblems : widthProblem(record, columns, row, delimiter);
    return fileRow(row, line, textOf, problems, () => isPlain, extrasOf(record, extras));
  };
  return {
    nextRow: () => row + 1,
    nextLine: () => nextLine,
    rowsOf: (records: readonly string[][], areOneLineEach: boolean): FileRow[] => {
      const rows: FileRow[] = [];
      for (const record of records) {
        const line = nextLine;
        nextLine += areOneLineEach ? 1 : linesOf(record);
        if (isBlank(record)) continue;
        if (header === undefined && isSeparator(record)) continue;
        if (header === undefined) header = csvHeader(record.map(cellText), extraColumns);
        else rows.push(rowOf(record, line, header));
      }
      return rows;
    },
  };
};

/**
 * Rows of a CSV, a block at a time. Delimiter and line ends are found in the line of the header. It is parsed with a character
 * for each byte: what means something to a CSV is ASCII, and one letter beyond it would make a whole text twice as large.
 */
export async function* readCsv(
  blocks: AsyncIterable<Buffer>,
  headerLine: string,
  extraColumns = new ExtraColumns(),
): AsyncGenerator<readonly FileRow[]> {
  const dialect = csvDialect(headerLine);
  const parser = new Papa.Parser(dialect);
  const maker = rowMaker(dialect, extraColumns);
  let rest = '';
  /** The next row; `at` is the line of its mistake. */
  const refuse = (what: keyof typeof malformed, at = maker.nextLine()) =>
    refusal(what, maker.nextRow(), maker.nextLine(), at);
  /** Of a row that does not end: most likely since a quote in it is not closed. */
  const refuseRest = () => {
    const opened = openQuote(rest, dialect.delimiter);
    return opened === undefined
      ? refuse('endless')
      : refuse('open', maker.nextLine() + lineEnds(rest.slice(0, opened)));
  };
  const take = function* (text: string): Generator<readonly FileRow[]> {
    const line = maker.nextLine();
    const { records, areOneLineEach, wrong, linesBefore, ...parsed } = parseText(parser, rest + text, dialect);
    yield maker.rowsOf(records, areOneLineEach);
    if (wrong !== undefined) throw refuse(wrong, linesBefore === undefined ? undefined : line + linesBefore);
    rest = parsed.rest;
    if (rest.length > maxRecordBytes) throw refuseRest();
  };
  for await (const block of blocks)
    for (let from = 0; from < block.length; from += textBytes)
      yield* take(block.toString('latin1', from, from + textBytes));
  // Without a line end the last row may be the file's own break.
  const isOpen = rest.trim() !== '';
  for (const rows of take(dialect.newline)) {
    const [problem] = rows.flatMap(({ problems }) => problems);
    if (isOpen && problem !== undefined) throw cutOff(problem, rows[0]?.line);
    yield rows;
  }
  if (rest !== '') throw refuseRest();
}
