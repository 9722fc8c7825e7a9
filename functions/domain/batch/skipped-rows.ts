import Papa from 'papaparse';
import * as z from 'zod';
import { plural } from '../money/format-money.ts';
import { once } from '../once.ts';
import type { Reason } from '../payout/payout.ts';
import type { Extras, FileRow } from '../payout-file/fields.ts';
import { unguardedCell } from '../report/csv-report.ts';
import type { PlanSummary, RowError } from './plan.ts';

/** Counts the invalid rows of a file whose other rows are paid. 0 for a refused file, because nothing of it is paid. */
export const countSkipped = (plan: Pick<PlanSummary, 'manifestKey' | 'invalidRows'> | undefined): number =>
  plan?.manifestKey === undefined ? 0 : plan.invalidRows;

/** Code of the reason, and of the attention message, of a batch with skipped rows. */
export const rowsSkippedCode = 'rows_skipped';

/** Explains why a batch is not `completed` although all its submitted payouts may be. Undefined when no row was skipped. */
export const reasonOfSkipped = (
  plan: Pick<PlanSummary, 'manifestKey' | 'invalidRows' | 'rows' | 'alreadyPaid'>,
): Reason | undefined => {
  const skipped = countSkipped(plan);
  if (skipped === 0) return undefined;
  const paid = plan.alreadyPaid?.rows ?? 0;
  const nobody =
    paid === 0
      ? 'Nobody was paid for them;'
      : `Already paid by other batches, under the same references: ${paid} of these.${paid < skipped ? ' Nobody was paid for the others;' : ''}`;
  return {
    code: rowsSkippedCode,
    message: `Skipped as invalid: ${skipped} of ${plan.rows} ${plural(plan.rows, 'row')}. ${nobody} errors.csv lists the reasons.`,
  };
};

/**
 * Values shown for an invalid row beside its problems. A field is empty when its column has a problem. All are empty when the
 * currency has one: the values may be in each other's columns, and one may be an account number.
 */
export interface RowSummary extends Pick<FileRow, 'reference' | 'currency' | 'amount'> {
  /** Values of the columns that begin with `x-`. */
  readonly extras?: Extras;
}

/** A skipped row with its problems from errors.csv. */
export interface SkippedRow extends RowSummary {
  readonly row: number;
  /** Distinct codes of its problems. */
  readonly codes: ReadonlySet<string>;
  /** Message of the first problem. */
  readonly message: string;
  readonly problems: number;
  /** Column and message of the first problems. */
  readonly texts: readonly string[];
}

/** Most problems of a row that are described. The rest are only counted. */
const mostTexts = 5;

/** Describes a row's problems in one cell. */
export const describeProblems = ({ texts, problems }: SkippedRow): string => {
  const left = problems - texts.length;
  const more = left > 0 ? [`${left} more ${plural(left, 'problem')}: see errors.csv.`] : [];
  return [...texts, ...more].join(' ');
};

/** Columns of errors.csv: first the row's location, then the problem. */
export const errorColumns = [
  'row',
  'line',
  'reference',
  'column',
  'code',
  'message',
  'currency',
  'amount',
  /** The row's own columns as a JSON object. In a JSON file, even the last row may introduce a new one. */
  'extras',
] as const;

const extrasCell = once(() => z.record(z.string(), z.string()));

/** One problem as a line of errors.csv. */
export const errorLine = (
  { row, line, column, code, message }: RowError,
  { reference, currency, amount, extras }: RowSummary,
): readonly string[] => [
  String(row),
  line === undefined ? '' : String(line),
  ...[reference, column, code, message, currency, amount],
  extras === undefined ? '' : JSON.stringify(extras),
];

/** Records of a CSV made by csvReport, the header first. */
async function* recordsOf(csv: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });
  // The decoder strips a byte order mark.
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of csv) {
    text += decoder.decode(bytes, { stream: true });
    const { data, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, true);
    yield* data;
    text = text.slice(meta.cursor);
  }
}

/**
 * Reads the rows listed in an errors.csv, in file order. A row may have very many problems, so later ones are only counted, with
 * their codes.
 */
export async function* readSkippedRows(csv: AsyncIterable<Uint8Array>): AsyncGenerator<SkippedRow> {
  let found: (SkippedRow & { readonly codes: Set<string>; readonly texts: string[]; problems: number }) | undefined;
  let positions: ReadonlyMap<string, number> | undefined;
  for await (const record of recordsOf(csv)) {
    // By name, because batches planned earlier have other columns, in another order.
    if (positions === undefined) {
      positions = new Map(record.map((name, at) => [name, at]));
      continue;
    }
    const at = positions;
    const cell = (name: (typeof errorColumns)[number]) => unguardedCell(record[at.get(name) ?? -1] ?? '');
    const row = Number(cell('row'));
    if (found?.row !== row) {
      if (found !== undefined) yield found;
      const [reference, currency, amount] = [cell('reference'), cell('currency'), cell('amount')];
      const extras = cell('extras') === '' ? {} : { extras: extrasCell().parse(JSON.parse(cell('extras'))) };
      const values = { reference, currency, amount, ...extras };
      found = { row, codes: new Set(), message: cell('message'), problems: 0, texts: [], ...values };
    }
    found.codes.add(cell('code'));
    found.problems++;
    if (found.texts.length < mostTexts)
      found.texts.push(`${cell('column')}${cell('column') === '' ? '' : ': '}${cell('message')}`);
  }
  if (found !== undefined) yield found;
}
