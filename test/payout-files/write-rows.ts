import { gzipSync } from 'node:zlib';
import type { Chance } from '../support/chance.ts';
import type { Cells, Column } from './good-rows.ts';
import { columns } from './good-rows.ts';

export type Format = 'csv' | 'array' | 'lines' | 'xlsx';

/** A row to be written. */
export interface TypedRow {
  cells: Cells;
  /** Changes to its text in a file: the written cells of a CSV, or the object of a JSON. */
  csv?: (cells: readonly string[]) => readonly string[];
  json?: (text: string) => string;
  workbook?: {
    /** XML of cells, instead of their texts. */
    readonly cells?: Partial<Record<Column, string>>;
    /** True when it has a value beyond the named columns. */
    readonly isWider?: boolean;
    readonly isHidden?: boolean;
  };
}

/** The style of a file, drawn once for all its rows. */
export interface Style {
  readonly format: Format;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** UTF-16 always has a byte order mark. */
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be';
  readonly hasMark: boolean;
  /** True when a first line names the delimiter for Excel. */
  readonly namesDelimiter: boolean;
  readonly endsLine: boolean;
  readonly gzip: 'none' | 'one' | 'two';
}

export const drawStyle = (chance: Chance): Style => {
  const format = chance.pick<Format>(['csv', 'csv', 'csv', 'array', 'lines', 'xlsx']);
  return {
    format,
    delimiter: chance.pick([',', ',', ';', '\t']),
    lineEnd: chance.pick(['\n', '\n', '\r\n', format === 'csv' ? '\r' : '\r\n']),
    encoding: chance.pick(['utf8', 'utf8', 'utf8', 'utf8', 'utf16le', 'utf16be']),
    hasMark: chance.happens(0.25),
    namesDelimiter: format === 'csv' && chance.happens(0.15),
    endsLine: chance.happens(0.6),
    gzip: chance.pick(['none', 'none', 'one', 'two']),
  };
};

/** Placeholder in a text for bytes that are not UTF-8: `bytes(e9)`. */
export const rawBytes = (hex: string): string => `\ufdd0bytes(${hex})`;

/** The text in UTF-8, with raw bytes for placeholders. */
export const encoded = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(/(\ufdd0bytes\([0-9a-f]+\))/)
      .map((part) => (part.startsWith('\ufdd0bytes(') ? Buffer.from(part.slice(7, -1), 'hex') : Buffer.from(part))),
  );

export const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

/** The bytes of a whole file's text. Raw bytes always make it UTF-8. */
export const bytesOf = (text: string, { encoding, namesDelimiter, delimiter, lineEnd }: Style): Buffer => {
  const marked = namesDelimiter ? text.replace(/^\ufeff?/, (mark) => `${mark}sep=${delimiter}${lineEnd}`) : text;
  if (encoding === 'utf8' || text.includes('\ufdd0')) return encoded(marked);
  return utf16(`\ufeff${marked.replace('\ufeff', '')}`, encoding === 'utf16be');
};

export const spelled = (chance: Chance, name: string): string => {
  const words = (between: string): string => name.replaceAll(/[A-Z]/g, (letter) => `${between}${letter}`);
  return chance.pick([
    ...([name, name, name, words(' '), words('_').toLowerCase(), words('-'), ` ${words(' ').toUpperCase()}`] as const),
    ...[name.toUpperCase(), name.toLowerCase(), name.charAt(0).toUpperCase() + name.slice(1)],
  ]);
};

/** A cell's text as people write it. Currencies appear in any letter case. */
export const typed = (chance: Chance, cells: Cells, column: Column): string | undefined => {
  const text = cells[column];
  if (column !== 'currency' || text === undefined || !chance.happens(0.2)) return text;
  return chance.pick([text.toLowerCase(), text.toUpperCase()]);
};

const shuffled = <Value>(chance: Chance, values: readonly Value[]): Value[] =>
  values
    .map((value) => [chance.next(), value] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, value]) => value);

const bankColumns: readonly Column[] = ['bankCode', 'bankName', 'accountNumber', 'accountName'];

/** The columns of a CSV: those that its rows need, and some empty ones. */
export const drawColumns = (chance: Chance, rows: readonly TypedRow[]): readonly Column[] => {
  const isUsed = (column: Column): boolean => rows.some(({ cells }) => (cells[column] ?? '') !== '');
  const hasBank = bankColumns.some(isUsed);
  const names = columns.filter((column) => {
    if (column === 'amount' || column === 'currency' || isUsed(column)) return true;
    return bankColumns.includes(column) ? hasBank : column === 'recipientId' || chance.happens(0.3);
  });
  return chance.happens(0.5) ? shuffled(chance, names) : names;
};

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const writeCsv = (chance: Chance, rows: readonly TypedRow[], style: Style): readonly string[] => {
  const { delimiter, lineEnd } = style;
  const all = chance.happens(0.2);
  const isSpaced = chance.happens(0.2);
  const names = drawColumns(chance, rows);
  const emptyColumns = chance.happens(0.15) ? chance.int(1, 3) : 0;
  const cellOf = (text: string): string => {
    if (all || /["\n\r,;\t]/.test(text) || chance.happens(0.05)) return quoted(text) + (isSpaced ? ' ' : '');
    return isSpaced && chance.happens(0.5) ? ` ${text}  ` : text;
  };
  const withEmpty = (cells: readonly string[]): readonly string[] => [
    ...cells,
    ...Array.from({ length: emptyColumns }, () => ''),
  ];
  const blank = (): string[] =>
    chance.happens(0.05) ? [chance.pick(['', '  ', names.map(() => '').join(delimiter)])] : [];
  const header = withEmpty(names.map((name) => cellOf(spelled(chance, name)))).join(delimiter);
  const lines = rows.flatMap(({ cells, csv = withEmpty }) => [
    ...blank(),
    csv(names.map((name) => cellOf(typed(chance, cells, name) ?? ''))).join(delimiter),
  ]);
  // Leading blank lines with a lone CR would not identify the line end.
  return [header, ...lines].map((text, index, { length }) =>
    index < length - 1 || style.endsLine ? text + (lineEnd === '\r\n' && chance.happens(0.1) ? '\n' : lineEnd) : text,
  );
};

const isJsonNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);

const objectText = (chance: Chance, { cells, json = (text) => text }: TypedRow, indent: boolean): string => {
  const areNumbers = chance.happens(0.5);
  const isEscaped = chance.happens(0.15);
  const text = (value: string): string => {
    const plain = JSON.stringify(value);
    return isEscaped
      ? plain.replaceAll(/[^\x20-\x7e\ufdd0]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : plain;
  };
  const pairs = shuffled(chance, columns).flatMap((column) => {
    const value = typed(chance, cells, column);
    const key = `${JSON.stringify(spelled(chance, column))}:${indent ? ' ' : ''}`;
    if (value === undefined) return chance.happens(0.15) ? [`${key}${chance.pick(['null', '""'])}`] : [];
    return [key + (column === 'amount' && areNumbers && isJsonNumber(value) ? value : text(value))];
  });
  return json(indent ? `{\n  ${pairs.join(',\n  ')}\n}` : `{${pairs.join(',')}}`);
};

const writeArray = (chance: Chance, rows: readonly TypedRow[], { lineEnd, endsLine }: Style): readonly string[] => {
  const indent = chance.happens(0.4);
  const items = rows.map((row) => objectText(chance, row, indent));
  return [
    `[${indent ? lineEnd : ''}`,
    ...items.map((item, index) => `${item}${index < items.length - 1 ? ',' : ''}${indent ? lineEnd : ''}`),
    `]${endsLine ? lineEnd : ''}`,
  ];
};

const writeLines = (chance: Chance, rows: readonly TypedRow[], { lineEnd, endsLine }: Style): readonly string[] =>
  rows.map(
    (row, index) =>
      objectText(chance, row, false) +
      (index < rows.length - 1 || endsLine ? lineEnd + (chance.happens(0.05) ? lineEnd : '') : ''),
  );

/** The file's text in pieces: header and lines of a CSV, objects of JSON. Empty for a workbook, which is no text. */
export const written = (chance: Chance, rows: readonly TypedRow[], style: Style): readonly string[] => {
  if (style.format === 'xlsx') return [];
  const write = { csv: writeCsv, array: writeArray, lines: writeLines }[style.format];
  const [first = '', ...rest] = write(chance, rows, style);
  return [`${style.hasMark ? '\ufeff' : ''}${first}`, ...rest];
};

export const packed = (bytes: Buffer, gzip: Style['gzip']): Buffer => {
  if (gzip === 'none') return bytes;
  if (gzip === 'one') return gzipSync(bytes);
  const middle = Math.floor(bytes.length / 2);
  return Buffer.concat([gzipSync(bytes.subarray(0, middle)), gzipSync(bytes.subarray(middle))]);
};
