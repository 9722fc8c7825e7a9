import Papa from 'papaparse';
import { FileRefused } from '../fields.ts';
import type { csvDialect } from './header.ts';

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

/** What ends each text about a record that cannot be read. */
export const nothingAfter = 'Nothing after it can be read.';

/** What ends the reading: a record that is malformed. */
interface Break {
  readonly what: keyof typeof malformed;
  /** Where the record begins, and where its mistake is. */
  readonly line: number;
  readonly at: number;
  /** The file's end may be missing, or the file is no CSV: nobody can mend that in its place. */
  readonly isMendable: boolean;
}

const refusal = ({ what, line, at, isMendable }: Break, row: number): FileRefused =>
  new FileRefused(
    [{ row, line, column: '', code: 'malformed_csv', message: `${malformed[what](at)} ${nothingAfter}` }],
    isMendable,
  );

export type Dialect = ReturnType<typeof csvDialect>;

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
  const { delimiter, newline } = dialect;
  // Where the field begins.
  let at = 0;
  const isInside = (value: string, end: string): boolean => {
    if (text[at] !== '"') {
      at += value.length + 1;
      return value.includes('"');
    }
    const quotes = value.split('"').length - 1;
    // Spaces may follow the quote that closes it.
    at = text.indexOf(end, at + value.length + quotes + 2) + 1;
    return false;
  };
  const first = records.findIndex((record) =>
    record.some((value, index) => isInside(value, index < record.length - 1 ? delimiter : newline)),
  );
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
  if (newline === '\r' || (text.includes('\r') && /\r(?!\n)/.test(text))) return false;
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

/** Records of a CSV that follow each other. */
export interface CsvRecords {
  /** Cells with a character for each byte. */
  readonly records: readonly string[][];
  /** Where each begins. */
  readonly lines: (record: number) => number;
  /** The last record has no line end: it may be where the file breaks off. */
  readonly isOpen: boolean;
}

/** A part of a CSV from a malformed record on, as it stands there. */
export interface UnreadCsv {
  readonly refusal: FileRefused;
  /** Where the record begins, and where its mistake is. */
  readonly line: number;
  readonly at: number;
  /** With a character for each byte. The first part begins with the record. */
  readonly text: string;
}

/** Where the record after so many begins in a text that has quotes. */
const beginOf = (record: number, text: string, dialect: Dialect): number =>
  record === 0 ? 0 : new Papa.Parser({ ...dialect, preview: record }).parse(text, 0, true).meta.cursor;

/** The line where each record begins, and the one after them. */
const countLines = (records: readonly string[][], first: number, areOneLineEach: boolean) => {
  if (areOneLineEach) return { of: (record: number) => first + record, next: first + records.length };
  let next = first;
  const begins = records.map((record) => {
    const line = next;
    next += linesOf(record);
    return line;
  });
  return { of: (record: number) => begins[record] ?? first, next };
};

/** Why nothing of a text is a whole record: most likely since a quote in it is not closed. */
const breakOfRest = (rest: string, line: number, { delimiter }: Dialect, hasEnd: boolean): Break => {
  const opened = openQuote(rest, delimiter);
  if (opened === undefined) return { what: 'endless', line, at: line, isMendable: false };
  return { what: 'open', line, at: line + lineEnds(rest.slice(0, opened)), isMendable: hasEnd };
};

/**
 * The records of a CSV, a text's at a time; blank ones too. It is parsed with a character for each byte: what means something
 * to a CSV is ASCII, and one letter beyond it would make a whole text twice as large. After a malformed record come the parts of
 * the file that nobody can read.
 *
 * @param nextRow the number of the row that a refusal is about
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
  const endWith = (found: Break, text: string): UnreadCsv => {
    unread = { refusal: refusal(found, nextRow()), line: found.line, at: found.at };
    return { ...unread, text };
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
    yield { records, lines: lines.of, isOpen };
    line = lines.next;
    rest = parsed.rest;
    if (wrong !== undefined) {
      const at = linesBefore === undefined ? line : first + linesBefore;
      yield endWith({ what: wrong, line, at, isMendable: true }, whole.slice(beginOf(records.length, whole, dialect)));
    } else if (rest.length > maxRecordBytes) yield endWith(breakOfRest(rest, line, dialect, true), rest);
  };
  for await (const block of blocks)
    for (let from = 0; from < block.length; from += textBytes)
      yield* take(block.toString('latin1', from, from + textBytes));
  if (unread !== undefined) return;
  const hasEnd = /[\r\n]$/.test(rest);
  // The line end is none of the file's.
  for (const read of take(dialect.newline, rest.trim() !== ''))
    yield 'refusal' in read ? { ...read, text: read.text.slice(0, -1) } : read;
  if (unread === undefined && rest !== '') yield endWith(breakOfRest(rest, line, dialect, hasEnd), rest.slice(0, -1));
}
