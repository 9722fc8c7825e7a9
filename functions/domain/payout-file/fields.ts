import type { RowError } from '../batch/plan.ts';
import { given } from '../given.ts';
import type { PayoutField } from './field-table.ts';
import { fieldTable } from './field-table.ts';

const isField = (name: string): name is PayoutField => name in fieldTable;

/** The fields in the order in which files written here have them. */
export const payoutFields: readonly PayoutField[] = Object.keys(fieldTable).filter(isField);

/** The bank details. A row has all of them, or none. */
export const bankFields = ['bankCode', 'bankName', 'accountNumber', 'accountName'] as const;

const fieldsByLowerCase: ReadonlyMap<string, PayoutField> = new Map(
  payoutFields.map((field) => [field.toLowerCase(), field]),
);

/** The field that a header cell or a JSON key names: `Bank Code`, `bank_code` and `bank-code` are all bankCode. */
export const fieldNamed = (name: string): PayoutField | undefined =>
  fieldsByLowerCase.get(name.toLowerCase().replaceAll(/[\s_-]+/g, ''));

/** A row's values by column. */
export type Extras = Readonly<Record<string, string>>;

/** Shared by all rows without such columns, so that they cost no memory. */
export const noExtras: Extras = Object.freeze({});

/** A data row as read, before any rule: the trimmed text of each field, empty when absent. */
export type FileRow = Readonly<ReturnType<typeof fileRow>>;

/** Reports a problem of a row: the column (`''` for the whole row), a stable code, and a sentence. */
export type Problem = (column: string, code: string, message: string) => void;

/**
 * Builds a row from its fields' texts. The only place that does: objects of one shape are much faster to read, a
 * million times.
 *
 * @param row from 1, without the header and blank lines
 * @param line the file's line where the row begins, from 1, as an editor counts. In a workbook, the sheet's row
 * @param problems found while reading the row
 * @param extras values of the columns that begin with `x-`
 * @param isPlain true when every field is known to be printable ASCII within its length limit. Such rows skip the
 *   checks of text
 */
export const fileRow = (
  row: number,
  line: number,
  textOf: (field: PayoutField) => string,
  problems: readonly RowError[],
  extras: Extras = noExtras,
  isPlain: () => boolean = () => false,
) => ({
  row,
  line,
  reference: textOf('reference'),
  amount: textOf('amount'),
  currency: textOf('currency'),
  recipientId: textOf('recipientId'),
  bankCode: textOf('bankCode'),
  bankName: textOf('bankName'),
  accountNumber: textOf('accountNumber'),
  accountName: textOf('accountName'),
  walletAddress: textOf('walletAddress'),
  name: textOf('name'),
  email: textOf('email'),
  note: textOf('note'),
  problems,
  isPlain: isPlain(),
  extras,
});

/**
 * A column's name, made safe for messages and reports: shortened, and without numbers or possible wallet addresses. A
 * file may have anything as a column name, even a value or a whole row by mistake.
 */
export const shownName = (name: string): string => {
  const masked = name.replaceAll(/\d{4,}|[0-9A-Za-z]{20,}/g, '***');
  const printable = masked.replaceAll(/[^\x20-\x7e]/g, '?').trim();
  return printable.length > 40 ? `${printable.slice(0, 40)}…` : printable;
};

/**
 * Thrown when the rest of the file cannot be read. Nothing of the file is paid, because the remaining rows are unknown.
 * planPayoutFile catches it and turns it into a value.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly kind = 'unreadable';
  readonly errors: readonly RowError[];
  /**
   * True when the mistake can be shown and corrected in place, so that a corrections file with all rows is worth
   * writing.
   */
  readonly isCorrectable: boolean;

  constructor(errors: readonly RowError[], isCorrectable = false) {
    super(errors.map((error) => error.code).join(', '));
    this.errors = errors;
    this.isCorrectable = isCorrectable;
  }
}

/** A refusal for one reason. Row 0 means the file itself. */
export const refuseFile = (code: string, message: string, row = 0, line?: number): FileRefused =>
  new FileRefused([{ row, ...given({ line }), column: '', code, message }]);
