import type { DrawnFile, DrawnRow } from './draw-file.ts';
import type { Cells } from './good-rows.ts';
import { columns } from './good-rows.ts';

export type InvalidRows = 'reject' | 'skip';

/** What became of a file, as its author is told. */
export interface Outcome {
  readonly status: string;
  readonly reasonCode: string | undefined;
  /** Lines of errors.csv. */
  readonly errors: readonly { readonly row: number; readonly code: string }[];
  /** Rows of repeated-debts.csv. */
  readonly repeated: readonly number[];
  /** Rows that results.csv tells as skipped. */
  readonly skipped: readonly number[];
  /** What was paid, one a payment: the row, and what the provider was sent where that is known. */
  readonly paid: readonly { readonly row: number; readonly sent?: Cells }[];
}

const sorted = (rows: Iterable<number>): string => [...new Set(rows)].toSorted((a, b) => a - b).join(' ');

/** A text as it is handed on: on one line, and amounts without the zeros in front. */
const handedOn = (column: string, text = ''): string => {
  if (column === 'amount') return text.trim().replace(/^0+(?=\d)/, '');
  return text.trim().replaceAll(/[ \t]*[\r\n]+[ \t]*/g, ' ');
};

const differences = ({ row, cells }: DrawnRow, sent: Cells): string[] =>
  columns
    // One that the row does not have is made for it.
    .filter((column) => column !== 'reference' || cells.reference !== undefined)
    .filter((column) => handedOn(column, cells[column]) !== handedOn(column, sent[column]))
    .map((column) => `row ${row}: ${column} was sent as another text`);

/** What is wrong with a file's outcome; nothing when it is as its author may expect. */
export const judge = (
  { rows, broken }: DrawnFile,
  invalidRows: InvalidRows,
  mode: 'disburse' | 'preview',
  outcome: Outcome,
): readonly string[] => {
  const wrong: string[] = [];
  const expect = (what: string, expected: string, found: string): void => {
    if (expected !== found) wrong.push(`${what}: expected ${expected || 'none'}, found ${found || 'none'}`);
  };
  const { status, reasonCode, errors, paid, skipped, repeated } = outcome;
  const damaged = rows.filter(({ fault }) => fault !== undefined);
  const good = rows.filter(({ fault }) => fault === undefined);
  const paidRows = sorted(paid.map(({ row }) => row));
  const refused = (): void => {
    expect('status', 'validation_failed file_invalid', `${status} ${reasonCode}`);
    expect('paid', '', paidRows);
    expect('skipped', '', sorted(skipped));
  };
  if (broken !== undefined) {
    refused();
    const isOfBreak = ({ code }: { readonly code: string }): boolean => broken.codes.includes(code);
    if (!errors.some(isOfBreak)) wrong.push(`no reason of ${broken.codes.join(', ')}`);
    const accused = new Set(errors.filter((error) => !isOfBreak(error)).map(({ row }) => row));
    expect('good rows accused', '', sorted(good.map(({ row }) => row).filter((row) => accused.has(row))));
    return wrong;
  }
  expect('rows named', sorted(damaged.map(({ row }) => row)), sorted(errors.map(({ row }) => row)));
  for (const { row, fault } of damaged) {
    const codes = errors.filter((error) => error.row === row).map(({ code }) => code);
    if (!codes.includes(fault?.code ?? '')) wrong.push(`row ${row}: ${codes.join(', ')} instead of ${fault?.code}`);
  }
  if (good.length === 0 || (damaged.length > 0 && invalidRows === 'reject')) {
    refused();
    return wrong;
  }
  expect('repeated debts', sorted(good.filter(({ isRepeat }) => isRepeat).map(({ row }) => row)), sorted(repeated));
  if (mode === 'preview') {
    expect('status', 'previewed', status);
    expect('paid', '', paidRows);
    return wrong;
  }
  expect('status', damaged.length === 0 ? 'completed' : 'partially_completed', status);
  expect('skipped', sorted(damaged.map(({ row }) => row)), sorted(skipped));
  expect('paid', sorted(good.map(({ row }) => row)), paidRows);
  expect('payments', String(good.length), String(paid.length));
  for (const { row, sent } of paid) {
    const one = good.find((other) => other.row === row);
    if (one !== undefined && sent !== undefined) wrong.push(...differences(one, sent));
  }
  return wrong;
};
