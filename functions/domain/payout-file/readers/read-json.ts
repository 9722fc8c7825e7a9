import type { RowError } from '../../batch/plan.ts';
import { ExtraColumns } from '../extra-columns.ts';
import type { FileRefused, FileRow } from '../fields.ts';
import { fieldNamed, fileRow, noExtras, refuseFile, shownName } from '../fields.ts';
import { columnMeant, nameAdvice } from '../messages/columns.ts';

const [space = 0, openBracket, closeBracket, openBrace, closeBrace, comma, quote, backslash] = Buffer.from(' []{},"\\');

/** No payout is this long. Without a limit, a file without line ends or with an unclosed text would collect in memory. */
const maxPieceBytes = 1_048_576;

/** Deepest nesting of objects and arrays. A payout has none. */
const maxDepth = 32;

const malformed = {
  line: 'The line is not valid JSON. A quote, a comma or a brace is missing or too many.',
  lastLine:
    'The last line is not valid JSON and has no line end: the file was probably cut off. Export or upload it again.',
  noLines:
    'The file is neither a JSON array of objects nor one whole JSON object a line. Write [ … ] around the payouts, or each on one line.',
  openArray: 'The JSON array is not closed: the file was cut off. Export or upload it again.',
  rest: 'The file is not valid JSON from here on: a quote, a comma or a brace is missing or too many. Nothing after it can be read.',
  deep: 'Objects and arrays are nested too deeply. A payout has texts only.',
  longLine: 'A line is longer than a megabyte. Write each payout on a line of its own.',
  longItem: 'A payout is longer than a megabyte: a quote is probably not closed. Close it.',
} as const;

const refusal = (what: keyof typeof malformed, row = 0, line?: number): FileRefused =>
  refuseFile('malformed_json', malformed[what], row, line);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pair = /"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*"|[^\s,}]+)/g;

/**
 * Keys and values of an object as written. The parsed object keeps only the last of repeated keys, and may lose digits
 * of a number. An object with nested objects or arrays is no payout, so its own keys are enough. Converting nested
 * values to text may throw.
 */
const writtenPairs = (text: string, parsed: Readonly<Record<string, unknown>>): (readonly [string, string])[] => {
  if (Object.values(parsed).some((value) => typeof value === 'object' && value !== null))
    return Object.entries(parsed).map(([key, value]) => [key, typeof value === 'number' ? String(value) : '']);
  const unescaped = (key: string) => (key.includes('\\') ? String(JSON.parse(`"${key}"`)) : key);
  return [...text.matchAll(pair)].map(([, key = '', value = '']) => [unescaped(key), value]);
};

const readValue = (
  field: string,
  value: unknown,
  written: string,
  problem: (code: string, message: string) => void,
): string => {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' && field === 'amount') return written;
  if (typeof value === 'number')
    problem('number_not_text', `"${field}" is a number. Write it as text in quotes, so that zeros in front are kept.`);
  else if (value !== null) problem('value_not_text', `"${field}" is not text. Write text in quotes.`);
  return '';
};

const brokenRow = (row: number, line: number, code: string, message: string): FileRow =>
  fileRow(row, line, () => '', [{ row, column: '', code, message }]);

/**
 * Parses one payout. Undefined when the text is not valid JSON.
 *
 * @param what names the text in messages: a line, or an item of an array
 */
const rowOf = (what: string, { text, line }: Piece, row: number, extraColumns: ExtraColumns): FileRow | undefined => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) {
    const message = `${what} is not a JSON object. Write each payout as {"amount":"…", …}.`;
    return brokenRow(row, line, 'json_not_objects', message);
  }
  const problems: RowError[] = [];
  const values = new Map<string, string>();
  const extras = new Map<string, string>();
  for (const [key, written] of writtenPairs(text, parsed)) {
    const field = fieldNamed(key);
    const column = field ?? shownName(key);
    const problem = (code: string, message: string) => problems.push({ row, column, code, message });
    const extra = field === undefined ? extraColumns.named(key) : undefined;
    const name = field ?? (extra?.kind === 'extra' ? extra.name : undefined);
    const read = field === undefined ? extras : values;
    if (extra?.kind === 'refused') problem(extra.code, extra.message);
    else if (name === undefined) problem('field_unknown', `"${column}" is not known.${nameAdvice(columnMeant(key))}`);
    else if (read.has(name)) problem('field_repeated', `The object has "${column}" twice. Keep one.`);
    else read.set(name, readValue(column, parsed[key], written, problem));
  }
  const given = extras.size === 0 ? noExtras : Object.fromEntries(extras);
  return fileRow(row, line, (field) => values.get(field) ?? '', problems, given);
};

/** A piece of a file's text and the byte that ended it. `end` is undefined for the last piece of the file. */
interface Piece {
  readonly text: string;
  /** Line of the file, from 1, where the text begins. */
  readonly line: number;
  readonly end: number | undefined;
}

const nothing = Buffer.alloc(0);
const joined = (start: Buffer, end: Buffer): Buffer => (start.length === 0 ? end : Buffer.concat([start, end]));

const lineFeed = 0x0a;

const lineEnds = (text: string): number => text.split('\n').length - 1;

/**
 * Reads the rows of a file cut into pieces, block by block.
 *
 * @param endOf finds the end of the next piece in a block, from a position on; −1 when it continues in the next block
 * @param tooLong the refusal when a piece exceeds the limit
 * @param read the row of a piece; undefined when it has none
 */
async function* rowsOfPieces(
  blocks: AsyncIterable<Buffer>,
  endOf: (block: Buffer, from: number) => number,
  tooLong: keyof typeof malformed,
  read: (piece: Piece) => FileRow | undefined,
): AsyncGenerator<readonly FileRow[]> {
  const rowsOf = (pieces: readonly Piece[]): readonly FileRow[] => pieces.flatMap((piece) => read(piece) ?? []);
  let rest: Buffer = nothing;
  let line = 1;
  const cut = (bytes: Buffer, end: number | undefined): Piece => {
    const text = bytes.toString('utf8');
    const begins = line + lineEnds(text.slice(0, text.length - text.trimStart().length));
    line += lineEnds(text) + (end === lineFeed ? 1 : 0);
    return { text, line: begins, end };
  };
  for await (const block of blocks) {
    const pieces: Piece[] = [];
    let from = 0;
    for (let end = endOf(block, 0); end >= 0; end = endOf(block, from)) {
      pieces.push(cut(joined(rest, block.subarray(from, end)), block[end]));
      rest = nothing;
      from = end + 1;
    }
    // Skips white space before a piece, so that any amount of it stays out of memory.
    for (; rest.length === 0 && (block[from] ?? Number.NaN) <= space; from++) if (block[from] === lineFeed) line++;
    rest = joined(rest, block.subarray(from));
    yield rowsOf(pieces);
    if (rest.length > maxPieceBytes) throw refusal(tooLong, 0, line);
  }
  yield rowsOf([cut(rest, undefined)]);
}

/**
 * Reads the rows of JSON Lines: one object per line, blank lines skipped. A broken last line without a line end
 * probably means that the file is cut off.
 */
export const readJsonLines = (blocks: AsyncIterable<Buffer>, extraColumns: ExtraColumns) => {
  let row = 0;
  const lineEnd = (block: Buffer, from: number): number => block.indexOf(lineFeed, from);
  return rowsOfPieces(blocks, lineEnd, 'longLine', (piece) => {
    const { text, line, end } = piece;
    if (text.trim() === '') return undefined;
    row++;
    const read = rowOf('The line', piece, row, extraColumns);
    // A file that starts with { may be one object over many lines. One refusal is better than an error for every line.
    if (read === undefined && row === 1) throw refuseFile('json_not_objects', malformed.noLines, 1, line);
    if (read === undefined && end === undefined) throw refusal('lastLine', row, line);
    return read ?? brokenRow(row, line, 'malformed_json', malformed.line);
  });
};

/** Finds the beginning of an array, the end of each item and its own end. It looks only at brackets, commas and quotes. */
const endsInArray = () => {
  let depth = 0;
  let isClosed = false;
  let isText = false;
  let isEscaped = false;
  /** True when a piece ends with this byte. */
  const take = (byte: number | undefined): boolean => {
    if (isText) {
      isText = byte !== quote || isEscaped;
      isEscaped = byte === backslash && !isEscaped;
      return false;
    }
    switch (byte) {
      case quote:
        isText = true;
        return false;
      case comma:
        return depth === 1;
      case openBracket:
      case openBrace:
        depth++;
        if (depth > maxDepth) throw refusal('deep');
        return depth === 1;
      case closeBracket:
      case closeBrace:
        depth--;
        isClosed = depth === 0;
        return isClosed;
      default:
        return false;
    }
  };
  return (block: Buffer, from: number): number => {
    if (isClosed) return -1;
    for (let at = from; at < block.length; at++) if (take(block[at])) return at;
    return -1;
  };
};

/**
 * Reads the rows of a JSON array of objects. An item that is not an object is an error of that row. Text that is not
 * JSON ends the reading. Each item is cut out and given to JSON.parse, so exactly what JSON.parse accepts is accepted.
 */
export async function* readJsonArray(
  blocks: AsyncIterable<Buffer>,
  extraColumns = new ExtraColumns(),
): AsyncGenerator<readonly FileRow[]> {
  let row = 0;
  let lastLine = 1;
  let isClosed = false;
  yield* rowsOfPieces(blocks, endsInArray(), 'longItem', (piece) => {
    const { text, line, end } = piece;
    lastLine = line;
    const mayBeBlank = isClosed || (row === 0 && end === closeBracket);
    const isNoItem = end === openBracket || (mayBeBlank && text.trim() === '');
    const isItem = !isNoItem && !isClosed && end !== closeBrace;
    const read = isItem ? rowOf('This item of the array', piece, row + 1, extraColumns) : undefined;
    if (read !== undefined) row++;
    else if (!isNoItem) throw refusal(end === undefined && !isClosed ? 'openArray' : 'rest', row, line);
    isClosed ||= end === closeBracket;
    return read;
  });
  if (!isClosed) throw refusal('openArray', row, lastLine);
}
