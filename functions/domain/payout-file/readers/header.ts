import type { RowError } from '../../batch/plan.ts';
import type { ExtraColumns } from '../extra-columns.ts';
import type { PayoutField } from '../field-table.ts';
import type { Problem } from '../fields.ts';
import { bankFields, FileRefused, fieldNamed, payoutFields, refuseFile, shownName } from '../fields.ts';
import { columnMeant, nameAdvice } from '../messages/columns.ts';

const delimiters = [',', ';', '\t', '|'] as const;

/** @param has true also for a column under a mistyped name, which is reported already */
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

/** A first line with this many names close to known ones is a header, even when no name is exact. */
const fewestMeant = 2;

const unknownColumn = (number: number, shown: string, near: PayoutField | undefined): string => {
  if (shown === '') return `Column ${number} has no name. Name it, or remove it.`;
  return `Column ${number}, "${shown}", is not known.${nameAdvice(near)}`;
};

/**
 * The two columns that a corrections file adds after the merchant's own. `headerError` says what is wrong with the
 * header itself. It is undefined when the header is valid.
 */
export const correctionColumns = (headerError: string | undefined): readonly [error: string, line: string] => [
  headerError === undefined ? 'error' : `error: ${headerError}`,
  'line',
];

const isError = (name = ''): boolean => /^\s*error\s*(?::|$)/i.test(name);
const isLine = (name = ''): boolean => name.trim().toLowerCase() === 'line';

/**
 * Positions of the columns that a corrections file added: the last one or two, or any adjacent pair. A missing column
 * may have been appended after them.
 */
export const correctionPositions = (names: readonly string[]): ReadonlySet<number> => {
  const last = names.findLastIndex((name) => name.trim() !== '');
  const behind = [last, last - 1].filter((at) => isError(names[at]) || isLine(names[at]));
  const pair = names.findIndex((name, at) => isError(name) && isLine(names[at + 1]));
  return new Set([...(behind[0] === last ? behind : []), ...(pair < 0 ? [] : [pair, pair + 1])]);
};

/** Number of columns without corrections at their end. */
export const ownWidth = (columns: number, corrections: ReadonlySet<number>): number =>
  [columns - 1, columns - 2].reduce((own, at) => (own === at + 1 && corrections.has(at) ? at : own), columns);

/**
 * Reads the header record and reports all its problems together. Throws FileRefused: without a valid header no value
 * has a meaning.
 */
export const csvHeader = (record: readonly string[], extraColumns: ExtraColumns) => {
  const columns = record.findLastIndex((name) => name.trim() !== '') + 1;
  const corrections = correctionPositions(record);
  const positions = new Map<PayoutField, number>();
  const extras = new Map<string, number>();
  /** Fields that mistyped names probably mean. */
  const meant = new Set<PayoutField>();
  const problems: RowError[] = [];
  const problem: Problem = (column, code, message) => problems.push({ row: 0, column, code, message });
  const readUnknown = (name: string, position: number): void => {
    const near = name.trim() === '' ? undefined : columnMeant(name);
    if (near !== undefined) meant.add(near);
    problem(shownName(name), 'column_unknown', unknownColumn(position + 1, shownName(name), near));
  };
  const readField = (field: PayoutField, position: number): void => {
    const earlier = positions.get(field);
    if (earlier === undefined) {
      positions.set(field, position);
      return;
    }
    const message = `Columns ${earlier + 1} and ${position + 1} both mean "${field}". Keep one of them.`;
    problem(field, 'column_repeated', message);
  };
  const readExtra = (extra: string, shown: string, position: number): void => {
    if (extras.has(extra)) problem(shown, 'column_repeated', `The header has the column "${shown}" twice. Keep one.`);
    extras.set(extra, position);
  };
  const readName = (name: string, position: number): void => {
    const field = fieldNamed(name);
    const extra = field === undefined ? extraColumns.named(name) : undefined;
    if (field !== undefined) readField(field, position);
    else if (extra === undefined) readUnknown(name, position);
    else if (extra.kind === 'refused') problem(shownName(name), extra.code, extra.message);
    else readExtra(extra.name, shownName(name), position);
  };
  for (const [position, name] of record.slice(0, columns).entries())
    if (!corrections.has(position)) readName(name, position);
  // Without any known name the line is a row of payments. Its cells hold recipients' data, so no message repeats them.
  if (positions.size === 0 && meant.size < fewestMeant) {
    const message = `The first line is not a header. Write one above the payments that names their columns: ${payoutFields.join(', ')}.`;
    throw refuseFile('header_missing', message);
  }
  checkMissing((field) => positions.has(field) || meant.has(field), problem);
  if (problems.length > 0) throw new FileRefused(problems, true);
  return {
    /** An object instead of a Map: a dozen lookups per row take twice as long with a Map. */
    positions: Object.fromEntries(positions),
    /** The fields by position. */
    fields: new Map([...positions].map(([field, position]) => [position, field] as const)),
    columns,
    /** Number of columns without those that a corrections file adds at the end. */
    own: ownWidth(columns, corrections),
    /** The columns that begin with `x-`. */
    extras: [...extras].map(([name, position]) => ({ name, position })),
  };
};

/** Positions of the file's known fields in a record, and the number of columns. */
export type CsvHeader = Readonly<ReturnType<typeof csvHeader>>;

/** The line that tells Excel the delimiter, with its line end. It is ignored, because the header shows the delimiter too. */
const separatorLine = /^"?sep=.?"?[ \t]*(\r\n?|\n|$)\s*/i;

/** Removes a leading `sep=;` line from a file's text. */
export const withoutSeparatorLine = (text: string): string => text.replace(separatorLine, '');

/**
 * Detects the delimiter and the line ends from the header line. Chooses the delimiter that yields the most known field
 * names. A lone CR as line end comes from old spreadsheets. CRLF and LF may be mixed in one file, because values are
 * trimmed.
 */
export const csvDialect = (headerLine: string) => {
  // The error that a corrections file puts into its header contains delimiters of its own.
  const names = headerLine.replace(/(?<=[,;\t|] *"?)error:.*/is, '');
  const named = (delimiter: string): number =>
    names.split(delimiter).filter((name) => fieldNamed(name.replaceAll('"', '')) !== undefined).length;
  const delimiter = delimiters.reduce((best, candidate) => (named(candidate) > named(best) ? candidate : best));
  return { delimiter, newline: headerLine.endsWith('\r') ? '\r' : '\n' } as const;
};
