import type { RowError } from '../../batch.ts';
import type { ExtraColumns } from '../extra-columns.ts';
import type { PayoutField, Problem } from '../fields.ts';
import { bankFields, FileRefused, fieldNamed, payoutFields, refuseFile, shownName } from '../fields.ts';

/** Where in a record each field stands that the file has a column of, and how many columns there are. */
export interface CsvHeader {
  /** Not a Map: it is asked a dozen times a row, which takes twice as long with one. */
  readonly positions: Readonly<Partial<Record<PayoutField, number>>>;
  readonly columns: number;
  /** The columns that begin with `x-`. */
  readonly extras: readonly { readonly name: string; readonly position: number }[];
}

const delimiters = [',', ';', '\t', '|'] as const;

const checkMissing = (positions: ReadonlyMap<PayoutField, number>, problem: Problem): void => {
  for (const field of ['amount', 'currency'] as const)
    if (!positions.has(field)) problem(field, 'column_missing', `The file has no column "${field}".`);
  if (positions.has('recipientId') || positions.has('walletAddress')) return;
  const missing = bankFields.filter((field) => !positions.has(field));
  if (missing.length === bankFields.length) {
    const message = 'The file has no column that says who is paid: recipientId, walletAddress, or the bank details.';
    problem('', 'column_missing', message);
  } else for (const field of missing) problem(field, 'column_missing', `Bank details need the column "${field}" too.`);
};

/** Reads the header record. Every problem of it is reported at once; without a header no value has a meaning. */
export const csvHeader = (record: readonly string[], extraColumns: ExtraColumns): CsvHeader => {
  const lastNamed = record.findLastIndex((name) => name.trim() !== '');
  const positions = new Map<PayoutField, number>();
  const extras = new Map<string, number>();
  const problems: RowError[] = [];
  const problem: Problem = (column, code, message) => problems.push({ row: 0, column, code, message });
  for (const [position, name] of record.slice(0, lastNamed + 1).entries()) {
    const field = fieldNamed(name);
    const shown = shownName(name);
    const extra = field === undefined ? extraColumns.named(name) : undefined;
    if (extra?.kind === 'refused') problem(shown, extra.code, extra.message);
    else if (extra !== undefined) {
      if (extras.has(extra.name))
        problem(shown, 'column_repeated', `The column "${shown}" stands in the header twice.`);
      extras.set(extra.name, position);
    } else if (field === undefined) {
      const message = `Column ${position + 1}, "${shown}", is not one of: ${payoutFields.join(', ')}.`;
      problem(shown, 'column_unknown', message);
    } else if (positions.has(field)) {
      const message = `Columns ${(positions.get(field) ?? 0) + 1} and ${position + 1} both mean "${field}". Keep one of them.`;
      problem(field, 'column_repeated', message);
    } else positions.set(field, position);
  }
  // Without any known name it is a row of payments: its cells are recipients' and not to be repeated in a message.
  if (positions.size === 0) {
    const message = `The first line is not a header. It has to name columns: ${payoutFields.join(', ')}.`;
    throw refuseFile('header_missing', message);
  }
  checkMissing(positions, problem);
  if (problems.length > 0) throw new FileRefused(problems);
  const ofExtras = [...extras].map(([name, position]) => ({ name, position }));
  return { positions: Object.fromEntries(positions), columns: lastNamed + 1, extras: ofExtras };
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
  const named = (delimiter: string): number =>
    headerLine.split(delimiter).filter((name) => fieldNamed(name.replaceAll('"', '')) !== undefined).length;
  const delimiter = delimiters.reduce((best, candidate) => (named(candidate) > named(best) ? candidate : best));
  return { delimiter, newline: headerLine.endsWith('\r') ? '\r' : '\n' } as const;
};
