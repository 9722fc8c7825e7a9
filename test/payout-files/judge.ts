import type { DrawnFile, DrawnRow } from './draw-file.ts';
import type { Cells } from './good-rows.ts';
import { columns } from './good-rows.ts';

export type InvalidRows = 'reject' | 'skip';

/** A file's outcome as its author sees it. */
export interface Outcome {
  readonly status: string;
  readonly reasonCode: string | undefined;
  /** True when another person was asked to approve it. */
  readonly asked: boolean;
  /** Lines of errors.csv. */
  readonly errors: readonly { readonly row: number; readonly code: string }[];
  /** The file to correct. Undefined when there is none or it is not checked. */
  readonly toCorrect?: Buffer;
  /** Rows of repeated-debts.csv. */
  readonly repeated: readonly number[];
  /** Lines of results.csv, by column. */
  readonly results: readonly Readonly<Record<string, string>>[];
  /** The payments sent to the provider. Undefined when they are not checked. */
  readonly paid: readonly { readonly row: number; readonly sent: Cells }[] | undefined;
}

const isDamaged = ({ fault }: DrawnRow): boolean => fault !== undefined;

/** True when nothing of the file may be paid. */
export const isRefused = ({ rows, broken }: DrawnFile, invalidRows: InvalidRows): boolean =>
  broken !== undefined || rows.every(isDamaged) || (invalidRows === 'reject' && rows.some(isDamaged));

/** The items without the others, counting repetitions. */
const without = (items: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

/** A text as it is passed on: on one line, and amounts without leading zeros. */
const passedOn = (column: string, text = ''): string => {
  if (column === 'amount') return text.trim().replace(/^0+(?=\d)/, '');
  return text.trim().replaceAll(/[ \t]*[\r\n]+[ \t]*/g, ' ');
};

const differences = ({ row, cells }: DrawnRow, sent: Cells): string[] =>
  columns
    // The orchestrator creates a missing reference.
    .filter((column) => column !== 'reference' || cells.reference !== undefined)
    .filter((column) => passedOn(column, cells[column]) !== (sent[column] ?? ''))
    .map((column) => `row ${row}: ${column} was sent as another text`);

/** Columns of results.csv that differ from the row. A skipped row may omit columns. */
const misreported = ({ row, written, fault }: DrawnRow, line: Readonly<Record<string, string>>): string[] =>
  (['reference', 'currency', 'amount'] as const)
    .filter((column) => column !== 'reference' || written.reference !== undefined)
    .filter((column) => fault === undefined || line[column] !== '')
    .filter((column) => passedOn(column, written[column]) !== line[column])
    .map((column) => `row ${row}: results.csv has another ${column}`);

/** Lines of errors.csv without a matching damage or break. */
const unfounded = ({ rows, broken }: DrawnFile, errors: Outcome['errors']): readonly string[] => {
  const least = broken?.where === 'last' ? rows.length : 0;
  const most = broken?.where === 'file' ? 0 : rows.length;
  return errors
    .filter(({ row, code }) => {
      const fault = rows[row - 1]?.fault;
      if (code === fault?.code || fault?.beside?.includes(code) === true) return false;
      return broken?.codes.includes(code) !== true || row < least || row > most;
    })
    .map(({ row, code }) => `row ${row}: ${code} is reported without reason`);
};

const codesOf = (row: number, errors: Outcome['errors']): readonly string[] =>
  errors.filter((error) => error.row === row).map(({ code }) => code);

/** Errors that errors.csv omits or lists twice. A break may hide the file's rows. */
const unreported = ({ rows, broken }: DrawnFile, errors: Outcome['errors']): readonly string[] => {
  if (broken !== undefined)
    return errors.some(({ code }) => broken.codes.includes(code)) ? [] : [`none of ${broken.codes.join(', ')}`];
  return rows.flatMap(({ row, fault }) => {
    const codes = codesOf(row, errors);
    return [
      ...(fault === undefined || codes.includes(fault.code) ? [] : [`row ${row}: ${fault.code} is not reported`]),
      ...(new Set(codes).size === codes.length ? [] : [`row ${row}: one of ${codes.join(', ')} is reported twice`]),
    ];
  });
};

/** The mistakes in a file's outcome. Empty when it is as its author may expect. */
export const judge = (
  file: DrawnFile,
  invalidRows: InvalidRows,
  mode: 'disburse' | 'preview',
  outcome: Outcome,
): readonly string[] => {
  const { rows } = file;
  const { status, reasonCode, asked, errors, repeated, results, paid } = outcome;
  const wrong = [...unfounded(file, errors), ...unreported(file, errors)];
  const expect = (what: string, expected: readonly unknown[], found: readonly unknown[]): void => {
    const [wanted, had] = [expected.map(String), found.map(String)];
    const [missing, more] = [without(wanted, had), without(had, wanted)];
    if (missing.length > 0) wrong.push(`${what}: without ${missing.join(', ')}`);
    if (more.length > 0) wrong.push(`${what}: also ${more.join(', ')}`);
  };
  const isPlanned = !isRefused(file, invalidRows);
  const isPaid = isPlanned && mode === 'disburse';
  const good = rows.filter((row) => !isDamaged(row));
  const repeats = isPlanned ? good.filter(({ isRepeat }) => isRepeat) : [];
  const paidEnd = rows.some(isDamaged) ? 'partially_completed rows_skipped' : 'completed undefined';
  const plannedEnd = isPaid ? paidEnd : 'previewed undefined';
  expect('status', [isPlanned ? plannedEnd : 'validation_failed file_invalid'], [`${status} ${reasonCode}`]);
  expect(
    'repeated debts',
    repeats.map(({ row }) => row),
    repeated,
  );
  expect('asked', [isPaid && repeats.length > 0], [asked]);
  expect(
    'results.csv',
    (isPaid ? rows : []).map(({ row, fault }) =>
      fault === undefined ? `${row} completed ` : `${row} skipped ${codesOf(row, errors).join(' ')}`,
    ),
    results.map((line) => `${line['row']} ${line['status']} ${line['reasonCode']}`),
  );
  for (const line of results) {
    const drawn = rows[Number(line['row']) - 1];
    if (drawn !== undefined) wrong.push(...misreported(drawn, line));
  }
  if (paid === undefined) return wrong;
  expect(
    'paid',
    (isPaid ? good : []).map(({ row }) => row),
    paid.map(({ row }) => row),
  );
  for (const { row, sent } of paid) {
    const drawn = rows[row - 1];
    if (drawn !== undefined) wrong.push(...differences(drawn, sent));
  }
  return wrong;
};
