import type { RowError } from '../../batch/plan.ts';
import type { ExtraColumns } from '../extra-columns.ts';
import type { PayoutField } from '../field-table.ts';
import type { Problem } from '../fields.ts';
import { bankFields, FileRefused, fieldNamed, payoutFields, refuseFile, shownName } from '../fields.ts';
import { columnMeant } from '../messages/columns.ts';
import { didYouMean } from '../messages/guess.ts';

/** Where in a record each field stands that the file has a column of, and how many columns there are. */
export interface CsvHeader {
  /** Not a Map: it is asked a dozen times a row, which takes twice as long with one. */
  readonly positions: Readonly<Partial<Record<PayoutField, number>>>;
  readonly columns: number;
  /** Without those at the end in which a file to correct says what is wrong. */
  readonly own: number;
  /** The columns that begin with `x-`. */
  readonly extras: readonly { readonly name: string; readonly position: number }[];
}

const delimiters = [',', ';', '\t', '|'] as const;

/** @param has a column, be it under a name that is mistyped: that is told already */
const checkMissing = (has: (field: PayoutField) => boolean, problem: Problem): void => {
  for (const field of ['amount', 'currency'] as const)
    if (!has(field)) problem(field, 'column_missing', `The file has no column "${field}". Add it to the header.`);
  if (has('recipientId') || has('walletAddress')) return;
  const missing = bankFields.filter((field) => !has(field));
  if (missing.length === bankFields.length) {
    const message = `The file has no column that says who is paid. Add recipientId, walletAddress, or ${bankFields.join(', ')}.`;
    problem('', 'column_missing', message);
  } else for (const field of missing) problem(field, 'column_missing', `Bank details need the column "${field}" too.`);
};

/** So many names that are near to a column's make a header, also when none is written right. */
const fewestMeant = 2;

const unknownColumn = (number: number, shown: string, near: PayoutField | undefined): string => {
  if (shown === '') return `Column ${number} has no name. Name it, or remove it.`;
  const what = `Column ${number}, "${shown}", is not known.`;
  if (near !== undefined) return `${what}${didYouMean(near)}`;
  return `${what} Let it begin with x- if it is your own, remove it, or name it as one of: ${payoutFields.join(', ')}.`;
};

/** The columns that a file to correct has behind the merchant's own. `told` is what is wrong with the header itself, if anything is. */
export const correctionColumns = (told: string | undefined): readonly [error: string, line: string] => [
  told === undefined ? 'error' : `error: ${told}`,
  'line',
];

const isError = (name = ''): boolean => /^\s*error\s*(?::|$)/i.test(name);
const isLine = (name = ''): boolean => name.trim().toLowerCase() === 'line';

/**
 * Where a file to correct says what is wrong with its rows: in its last columns, or in two next to each other, since a column that
 * was missing may be added behind them.
 */
export const correctionPositions = (names: readonly string[]): ReadonlySet<number> => {
  const last = names.findLastIndex((name) => name.trim() !== '');
  const behind = [last, last - 1].filter((at) => isError(names[at]) || isLine(names[at]));
  const pair = names.findIndex((name, at) => isError(name) && isLine(names[at + 1]));
  return new Set([...(behind[0] === last ? behind : []), ...(pair < 0 ? [] : [pair, pair + 1])]);
};

/** How many columns there are without corrections at their end. */
export const ownWidth = (columns: number, corrections: ReadonlySet<number>): number =>
  [columns - 1, columns - 2].reduce((own, at) => (own === at + 1 && corrections.has(at) ? at : own), columns);

/** What the names of a header say so far. */
interface ReadNames {
  readonly positions: Map<PayoutField, number>;
  readonly extras: Map<string, number>;
  /** Columns that mistyped names probably mean. */
  readonly meant: Set<PayoutField>;
}

const readName = (
  { positions, extras, meant }: ReadNames,
  name: string,
  position: number,
  extraColumns: ExtraColumns,
  problem: Problem,
): void => {
  const field = fieldNamed(name);
  const shown = shownName(name);
  const known = field === undefined ? undefined : positions.get(field);
  if (field !== undefined && known !== undefined) {
    const message = `Columns ${known + 1} and ${position + 1} both mean "${field}". Keep one of them.`;
    problem(field, 'column_repeated', message);
  } else if (field !== undefined) positions.set(field, position);
  if (field !== undefined) return;
  const extra = extraColumns.named(name);
  if (extra === undefined) {
    const near = name.trim() === '' ? undefined : columnMeant(name);
    if (near !== undefined) meant.add(near);
    problem(shown, 'column_unknown', unknownColumn(position + 1, shown, near));
  } else if (extra.kind === 'refused') problem(shown, extra.code, extra.message);
  else {
    if (extras.has(extra.name))
      problem(shown, 'column_repeated', `The column "${shown}" stands in the header twice. Keep one.`);
    extras.set(extra.name, position);
  }
};

/** Reads the header record. Every problem of it is reported at once; without a header no value has a meaning. */
export const csvHeader = (record: readonly string[], extraColumns: ExtraColumns): CsvHeader => {
  const lastNamed = record.findLastIndex((name) => name.trim() !== '');
  const corrections = correctionPositions(record);
  const read: ReadNames = { positions: new Map(), extras: new Map(), meant: new Set() };
  const { positions, extras, meant } = read;
  const problems: RowError[] = [];
  const problem: Problem = (column, code, message) => problems.push({ row: 0, column, code, message });
  for (const [position, name] of record.slice(0, lastNamed + 1).entries())
    if (!corrections.has(position)) readName(read, name, position, extraColumns, problem);
  // Without any known name it is a row of payments: its cells are recipients' and not to be repeated in a message.
  if (positions.size === 0 && meant.size < fewestMeant) {
    const message = `The first line is not a header. Write one above the payments that names their columns: ${payoutFields.join(', ')}.`;
    throw refuseFile('header_missing', message);
  }
  checkMissing((field) => positions.has(field) || meant.has(field), problem);
  if (problems.length > 0) throw new FileRefused(problems, true);
  const columns = lastNamed + 1;
  const ofExtras = [...extras].map(([name, position]) => ({ name, position }));
  return { positions: Object.fromEntries(positions), columns, own: ownWidth(columns, corrections), extras: ofExtras };
};

/** The line in which Excel is told the delimiter, with its end. The header tells it as well, so the line says nothing new. */
const separatorLine = /^"?sep=.?"?[ \t]*(\r\n?|\n|$)\s*/i;

/** A file's text without a line `sep=;` in front. */
export const withoutSeparatorLine = (text: string): string => text.replace(separatorLine, '');

/**
 * Delimiter and line ends, found in the header line: the delimiter under which most cells name a field. Files that end
 * lines with a lone CR are from old spreadsheets; CRLF and LF may be mixed in one file, since values are trimmed.
 */
export const csvDialect = (headerLine: string) => {
  // What a file to correct says of its header has delimiters of its own.
  const names = headerLine.replace(/(?<=[,;\t|] *"?)error:.*/is, '');
  const named = (delimiter: string): number =>
    names.split(delimiter).filter((name) => fieldNamed(name.replaceAll('"', '')) !== undefined).length;
  const delimiter = delimiters.reduce((best, candidate) => (named(candidate) > named(best) ? candidate : best));
  return { delimiter, newline: headerLine.endsWith('\r') ? '\r' : '\n' } as const;
};
