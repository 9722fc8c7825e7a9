import type { DrawnFile, DrawnRow } from './draw-file.ts';
import type { Cells } from './good-rows.ts';
import { columns } from './good-rows.ts';

export type InvalidRows = 'reject' | 'skip';

/** What became of a file, as its author is told. */
export interface Outcome {
  readonly status: string;
  readonly reasonCode: string | undefined;
  /** Another person was asked to approve it. */
  readonly asked: boolean;
  /** Lines of errors.csv. */
  readonly errors: readonly { readonly row: number; readonly code: string }[];
  /** What comes back to be mended; absent where nothing does, or nobody looks. */
  readonly toCorrect?: Buffer;
  /** Rows of repeated-debts.csv. */
  readonly repeated: readonly number[];
  /** Lines of results.csv, by column. */
  readonly results: readonly Readonly<Record<string, string>>[];
  /** What the provider was sent, one a payment; undefined where nobody looks. */
  readonly paid: readonly { readonly row: number; readonly sent: Cells }[] | undefined;
}

const isDamaged = ({ fault }: DrawnRow): boolean => fault !== undefined;

/** Nothing of the file may be paid. */
export const isRefused = ({ rows, broken }: DrawnFile, invalidRows: InvalidRows): boolean =>
  broken !== undefined || rows.every(isDamaged) || (invalidRows === 'reject' && rows.some(isDamaged));

/** Those that the others have not, or not as often. */
const without = (items: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

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

/** What results.csv tells otherwise than the row does. Of a skipped row a column may be left out. */
const mistold = ({ row, written, fault }: DrawnRow, line: Readonly<Record<string, string>>): string[] =>
  (['reference', 'currency', 'amount'] as const)
    .filter((column) => column !== 'reference' || written.reference !== undefined)
    .filter((column) => fault === undefined || line[column] !== '')
    .filter((column) => handedOn(column, written[column]) !== line[column])
    .map((column) => `row ${row}: results.csv has another ${column}`);

/** Lines of errors.csv that fit neither the row's damage nor how the file is broken. */
const unfounded = ({ rows, broken }: DrawnFile, errors: Outcome['errors']): readonly string[] => {
  const least = broken?.where === 'last' ? rows.length : 0;
  const most = broken?.where === 'file' ? 0 : rows.length;
  return errors
    .filter(({ row, code }) => {
      const fault = rows[row - 1]?.fault;
      if (code === fault?.code || fault?.beside?.includes(code) === true) return false;
      return broken?.codes.includes(code) !== true || row < least || row > most;
    })
    .map(({ row, code }) => `row ${row}: ${code} is told and is not so`);
};

const codesOf = (row: number, errors: Outcome['errors']): readonly string[] =>
  errors.filter((error) => error.row === row).map(({ code }) => code);

/** What errors.csv has to tell and does not, or tells twice. What breaks a file may hide its rows. */
const untold = ({ rows, broken }: DrawnFile, errors: Outcome['errors']): readonly string[] => {
  if (broken !== undefined)
    return errors.some(({ code }) => broken.codes.includes(code)) ? [] : [`no reason of ${broken.codes.join(', ')}`];
  return rows.flatMap(({ row, fault }) => {
    const codes = codesOf(row, errors);
    return [
      ...(fault === undefined || codes.includes(fault.code) ? [] : [`row ${row}: ${fault.code} is not told`]),
      ...(new Set(codes).size === codes.length ? [] : [`row ${row}: one of ${codes.join(', ')} is told twice`]),
    ];
  });
};

/** What is wrong with a file's outcome; nothing when it is as its author may expect. */
export const judge = (
  file: DrawnFile,
  invalidRows: InvalidRows,
  mode: 'disburse' | 'preview',
  outcome: Outcome,
): readonly string[] => {
  const { rows } = file;
  const { status, reasonCode, asked, errors, repeated, results, paid } = outcome;
  const wrong = [...unfounded(file, errors), ...untold(file, errors)];
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
    if (drawn !== undefined) wrong.push(...mistold(drawn, line));
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
