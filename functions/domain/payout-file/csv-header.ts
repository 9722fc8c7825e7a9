import type { RowError } from '../batch.ts';
import type { PayoutField } from './fields.ts';
import { bankFields, FileRefused, fieldNamed, payoutFields, shownName } from './fields.ts';

/** Where in a record each field stands that the file has a column of, and how many columns there are. */
export interface CsvHeader {
  readonly positions: ReadonlyMap<PayoutField, number>;
  readonly columns: number;
}

const delimiters = [',', ';', '\t'] as const;

const problem = (column: string, code: string, message: string): RowError => ({ row: 0, column, code, message });

const missingColumns = (positions: ReadonlyMap<PayoutField, number>): RowError[] => {
  const problems = (['amount', 'currency'] as const)
    .filter((field) => !positions.has(field))
    .map((field) => problem(field, 'column_missing', `The file has no column "${field}".`));
  if (positions.has('recipientId') || positions.has('walletAddress')) return problems;
  const missingBank = bankFields.filter((field) => !positions.has(field));
  if (missingBank.length === bankFields.length) {
    const message = 'The file has no column that says who is paid: recipientId, walletAddress, or the bank details.';
    return [...problems, problem('', 'column_missing', message)];
  }
  return [
    ...problems,
    ...missingBank.map((field) => problem(field, 'column_missing', `Bank details need the column "${field}" too.`)),
  ];
};

/** Reads the header record. Every problem of it is reported at once; without a header no value has a meaning. */
export const csvHeader = (record: readonly string[]): CsvHeader => {
  const lastNamed = record.findLastIndex((name) => name.trim() !== '');
  const positions = new Map<PayoutField, number>();
  const problems: RowError[] = [];
  for (const [position, name] of record.slice(0, lastNamed + 1).entries()) {
    const field = fieldNamed(name);
    const shown = shownName(name);
    if (field === undefined)
      problems.push(
        problem(
          shown,
          'column_unknown',
          `Column ${position + 1}, "${shown}", is not one of: ${payoutFields.join(', ')}.`,
        ),
      );
    else if (positions.has(field))
      problems.push(problem(field, 'column_repeated', `The column "${field}" stands in the header twice.`));
    else positions.set(field, position);
  }
  // Without any known name it is a row of payments: its cells are recipients' and not to be repeated in a message.
  if (positions.size === 0) {
    const message = `The first line is not a header. It has to name columns: ${payoutFields.join(', ')}.`;
    throw new FileRefused([problem('', 'header_missing', message)]);
  }
  problems.push(...missingColumns(positions));
  if (problems.length > 0) throw new FileRefused(problems);
  return { positions, columns: lastNamed + 1 };
};

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
