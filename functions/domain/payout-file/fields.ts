import type { RowError } from '../batch/plan.ts';
import type { Extras } from './extra-columns.ts';
import { noExtras } from './extra-columns.ts';
import type { PayoutField } from './field-table.ts';
import { fieldTable } from './field-table.ts';

const isField = (name: string): name is PayoutField => name in fieldTable;

/** The fields in the order in which files written here have them. */
export const payoutFields: readonly PayoutField[] = Object.keys(fieldTable).filter(isField);

/** The bank details: all of them, or none. */
export const bankFields = ['bankCode', 'bankName', 'accountNumber', 'accountName'] as const;

const fieldsByLowerCase: ReadonlyMap<string, PayoutField> = new Map(
  payoutFields.map((field) => [field.toLowerCase(), field]),
);

/** The field a header cell or a JSON key names: `Bank Code`, `bank_code` and `bank-code` are bankCode. */
export const fieldNamed = (name: string): PayoutField | undefined =>
  fieldsByLowerCase.get(name.toLowerCase().replaceAll(/[\s_-]+/g, ''));

/** A data row as it was read, before any rule: the trimmed text of each field, empty when absent. */
export type FileRow = {
  readonly [Field in PayoutField]: string;
} & {
  /** From 1, the header and blank lines not counted. */
  readonly row: number;
  /** Of the file, from 1, as an editor counts them: where the row begins. Undefined where it has no lines worth telling. */
  readonly line: number | undefined;
  /** What was wrong already with how the row is written. */
  readonly problems: readonly RowError[];
  /** Every text of a field is known to be printable ASCII and no longer than its field may be. */
  readonly isPlain: boolean;
  /** What stands in the columns that begin with `x-`. */
  readonly extras: Extras;
};

/** Notes what is wrong with a row: the column, or '' for all of it, a stable code, and a sentence. */
export type Problem = (column: string, code: string, message: string) => void;

/** The row whose fields have these texts. In one place: a million rows of one shape are read much faster than of several. */
export const fileRow = (
  row: number,
  line: number | undefined,
  textOf: (field: PayoutField) => string,
  problems: readonly RowError[],
  isPlain: () => boolean = () => false,
  extras: Extras = noExtras,
): FileRow => ({
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
 * A column's name in a message or a report: cut, and without numbers and what could be a wallet's address, since a file may
 * call a column anything, also by mistake a value or a whole row.
 */
export const shownName = (name: string): string => {
  const masked = name.replaceAll(/\d{4,}|[0-9A-Za-z]{20,}/g, '***');
  const printable = masked.replaceAll(/[^\x20-\x7e]/g, '?').trim();
  return printable.length > 40 ? `${printable.slice(0, 40)}…` : printable;
};

/**
 * The file as a whole cannot be read on: what follows is unknown, so nothing of it may be paid. Thrown through the
 * layers of the stream that reads it, and turned into a value at one place, by planPayoutFile.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly errors: readonly RowError[];
  /** What is wrong can be shown where it stands, and mended there: the whole file may come back for it. */
  readonly isMendable: boolean;

  constructor(errors: readonly RowError[], isMendable = false) {
    super(errors.map((error) => error.code).join(', '));
    this.errors = errors;
    this.isMendable = isMendable;
  }
}

/** A refusal for one reason; row 0 means the file itself. */
export const refuseFile = (code: string, message: string, row = 0, line?: number): FileRefused =>
  new FileRefused([{ row, ...(line === undefined ? {} : { line }), column: '', code, message }]);
