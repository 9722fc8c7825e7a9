import Papa from 'papaparse';
import { FileRefused } from '../fields.ts';
import type { csvDialect } from './header.ts';

/**
 * No real row is this long. Without a limit, an unclosed quote would collect the whole file in memory and parse it anew
 * with every part read.
 */
const maxRecordBytes = 65_536;

/**
 * Characters parsed at a time; their rows are in memory together. With four times as many, planning a million rows took
 * a third more time and 80 MB more.
 */
const textBytes = 16_384;

const malformed = {
  endless: (line: number) => `The row that begins on line ${line} goes on for more than 65,536 bytes.`,
  open: (line: number) => `The quote opened on line ${line} is never closed.`,
  goesOn: (line: number) =>
    `The quoted field that begins on line ${line} goes on after its closing quote. Write a quote inside a quoted field twice.`,
  inside: (line: number) =>
    `A field on line ${line} has a quote in it but none around it. Put quotes around the field and write the quote in it twice.`,
} as const;

/** Ends every message about a record that cannot be read. */
export const nothingAfter = 'Nothing after it can be read.';

export type Dialect = ReturnType<typeof csvDialect>;

/** Counts the records before the first one with a quote inside an unquoted field. Papaparse accepts such a quote as text. */
const withoutQuoteInside = (text: string, records: readonly string[][], { delimiter, newline }: Dialect): number => {
  // The usual case: quotes, if any, are around values and not in them.
  if (!text.includes('"') || records.every((record) => record.every((value) => !value.includes('"'))))
    return records.length;
  // Where the current field begins.
  let at = 0;
  const isInside = (value: string, end: string): boolean => {
    if (text[at] !== '"') {
      at += value.length + 1;
      return value.includes('"');
    }
    const quotes = value.split('"').length - 1;
    // Spaces may follow the closing quote.
    at = text.indexOf(end, at + value.length + quotes + 2) + 1;
    return false;
  };
  const first = records.findIndex((record) =>
    record.some((value, index) => isInside(value, index < record.length - 1 ? delimiter : newline)),
  );
  return first < 0 ? records.length : first;
};

/** Number of line ends in a text, as an editor counts them: CRLF is one. */
const lineEnds = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/**
 * Position of the quote that opens a field and is never closed. The text holds one record, as far as it was read.
 * Undefined when no quote is open.
 */
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

/**
 * True when every record of the text, up to a position, is exactly one line. Line numbers then follow from record
 * numbers.
 */
const haveOneLineEach = (text: string, until: number, records: number, { newline }: Dialect): boolean => {
  if (newline === '\r' || (text.includes('\r') && /\r(?!\n)/.test(text))) return false;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < until; at = text.indexOf('\n', at + 1)) lines++;
  return lines === records;
};

/** Number of lines in a record, its own line end included. One half of a CRLF may remain in its first or last cell. */
const linesOf = (record: readonly string[]): number => {
  const text = record.join(',').replace(/^\n/, '').replace(/\r$/, '');
  return lineEnds(text) + 1;
};

/**
 * Parses the complete records of a text, up to the first malformed one. Returns also the unparsed rest. Papaparse's own
 * streams break characters that span two blocks. Its parser takes whole texts and reports where an incomplete last
 * record begins.
 */
const parseText = (parser: Papa.Parser, text: string, dialect: Dialect) => {
  const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, true);
  // An error in the last record may only mean that its rest is still to come.
  const closed = data.slice(0, errors[0]?.row);
  const sound = withoutQuoteInside(text.slice(0, meta.cursor), closed, dialect);
  const wrong: keyof typeof malformed = sound < closed.length ? 'inside' : 'goesOn';
  const opened = errors[0]?.index;
  return {
    records: closed.slice(0, sound),
    areOneLineEach: haveOneLineEach(text, meta.cursor, data.length, dialect),
    wrong: sound < data.length ? wrong : undefined,
    /** Line ends before the wrong quote. */
    linesBefore: wrong === 'goesOn' && opened !== undefined ? lineEnds(text.slice(0, opened)) : undefined,
    rest: text.slice(meta.cursor),
  };
};

/** Consecutive records of a CSV. */
export interface CsvRecords {
  /** Cells with one character per byte. */
  readonly records: readonly string[][];
  /** Line where each record begins. */
  readonly lines: (record: number) => number;
  /** True when the last record has no line end. The file may be cut off there. */
  readonly isOpen: boolean;
}

/** The raw text of a CSV from a malformed record on, part by part. */
export interface UnreadCsv {
  readonly refusal: FileRefused;
  /** Line where the record begins. `at` is the line of the mistake. */
  readonly line: number;
  readonly at: number;
  /** One character per byte. The first part starts at the record's beginning. */
  readonly text: string;
}

/** Position in a text of the record with this index, from 0. Used where the text has quotes. */
const beginOf = (record: number, text: string, dialect: Dialect): number =>
  record === 0 ? 0 : new Papa.Parser({ ...dialect, preview: record }).parse(text, 0, true).meta.cursor;

/** Computes the line where each record begins, and the line after the last. */
const countLines = (records: readonly string[][], first: number, areOneLineEach: boolean): CsvRecords['lines'] => {
  if (areOneLineEach) return (record) => first + record;
  const begins = [first];
  for (const record of records) begins.push((begins.at(-1) ?? first) + linesOf(record));
  return (record) => begins[record] ?? first;
};

/**
 * Parses a CSV part by part, blank records included. After a malformed record it yields the rest of the file as raw
 * text.
 *
 * Each byte is parsed as one character. All characters with a meaning in CSV are ASCII, and a string with a single
 * letter beyond Latin-1 would need twice the memory.
 *
 * @param nextRow number of the row that a refusal would name
 */
export async function* csvRecords(
  blocks: AsyncIterable<Buffer>,
  dialect: Dialect,
  nextRow: () => number,
): AsyncGenerator<CsvRecords | UnreadCsv> {
  const parser = new Papa.Parser(dialect);
  let rest = '';
  let line = 1;
  let unread: Omit<UnreadCsv, 'text'> | undefined;
  /**
   * @param at line of the mistake
   * @param isCorrectable false when the end of the file may be missing, or when the file is not a CSV. Neither can be
   *   corrected in place
   */
  const endWith = (what: keyof typeof malformed, at: number, isCorrectable: boolean, text: string): UnreadCsv => {
    const message = `${malformed[what](at)} ${nothingAfter}`;
    const error = { row: nextRow(), line, column: '', code: 'malformed_csv', message };
    unread = { refusal: new FileRefused([error], isCorrectable), line, at };
    return { ...unread, text };
  };
  /** The rest contains no complete record. The usual reason is an unclosed quote. */
  const endWithRest = (hasEnd: boolean, text: string): UnreadCsv => {
    const opened = openQuote(rest, dialect.delimiter);
    if (opened === undefined) return endWith('endless', line, false, text);
    return endWith('open', line + lineEnds(rest.slice(0, opened)), hasEnd, text);
  };
  const take = function* (text: string, isOpen = false): Generator<CsvRecords | UnreadCsv> {
    if (unread !== undefined) {
      yield { ...unread, text };
      return;
    }
    const first = line;
    const whole = rest + text;
    const { records, areOneLineEach, wrong, linesBefore, ...parsed } = parseText(parser, whole, dialect);
    const lines = countLines(records, first, areOneLineEach);
    yield { records, lines, isOpen };
    line = lines(records.length);
    rest = parsed.rest;
    if (wrong !== undefined) {
      const at = linesBefore === undefined ? line : first + linesBefore;
      yield endWith(wrong, at, true, whole.slice(beginOf(records.length, whole, dialect)));
    } else if (rest.length > maxRecordBytes) yield endWithRest(true, rest);
  };
  for await (const block of blocks)
    for (let from = 0; from < block.length; from += textBytes)
      yield* take(block.toString('latin1', from, from + textBytes));
  if (unread !== undefined) return;
  const hasEnd = /[\r\n]$/.test(rest);
  // Removes the line end added above: it is not part of the file.
  for (const read of take(dialect.newline, rest.trim() !== ''))
    yield 'refusal' in read ? { ...read, text: read.text.slice(0, -1) } : read;
  if (unread === undefined && rest !== '') yield endWithRest(hasEnd, rest.slice(0, -1));
}
