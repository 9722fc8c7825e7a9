import { StringDecoder } from 'node:string_decoder';
import Papa from 'papaparse';
import type { PlanSummary } from './batch.ts';
import { unguardedCell } from './csv-report.ts';
import type { Reason } from './payout.ts';
import type { FileRow } from './payout-file/fields.ts';

/** Invalid rows of a file whose other rows are paid. A refused file skips none: nothing of it is paid. */
export const countSkipped = (plan: Pick<PlanSummary, 'manifestKey' | 'invalidRows'> | undefined): number =>
  plan?.manifestKey === undefined ? 0 : plan.invalidRows;

/** Code of the reason, and of the attention, of a batch with skipped rows. */
export const rowsSkippedCode = 'rows_skipped';

/** Why a batch is not `completed` although all that was submitted may be. Undefined when no row was skipped. */
export const reasonOfSkipped = (
  plan: Pick<PlanSummary, 'manifestKey' | 'invalidRows' | 'rows'>,
): Reason | undefined => {
  const skipped = countSkipped(plan);
  if (skipped === 0) return undefined;
  return {
    code: rowsSkippedCode,
    message: `Skipped as invalid: ${skipped} of ${plan.rows} rows. Nobody was paid for them; errors.csv says why.`,
  };
};

/**
 * What is told of an invalid row beside its problems. A field is empty when its column has a problem. All are when the
 * currency has one: the values may stand in each other's columns, and one of them may be an account number.
 */
export type ToldOfRow = Pick<FileRow, 'reference' | 'currency' | 'amount'>;

/** A row that was skipped, with what errors.csv says of it. */
export interface SkippedRow extends ToldOfRow {
  readonly row: number;
  /** Each once. */
  readonly codes: ReadonlySet<string>;
  /** Of the first problem. */
  readonly message: string;
  readonly problems: number;
}

/** Records of a CSV that csvReport has made, without its header. */
async function* recordsOf(csv: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });
  const decoder = new StringDecoder('utf8');
  let text = '';
  let isHeader = true;
  for await (const bytes of csv) {
    text += decoder.write(bytes);
    const { data, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, true);
    yield* isHeader ? data.slice(1) : data;
    isHeader &&= data.length === 0;
    text = text.slice(meta.cursor);
  }
}

/**
 * The rows that an errors.csv names, in the order of the file. A row may have very many problems, so all but the first
 * are counted, and their codes kept.
 */
export async function* readSkippedRows(csv: AsyncIterable<Uint8Array>): AsyncGenerator<SkippedRow> {
  let found: (SkippedRow & { readonly codes: Set<string>; problems: number }) | undefined;
  for await (const record of recordsOf(csv)) {
    // An errors.csv of a batch that was planned before references and amounts were told has four columns.
    const [row, , code = '', message = '', reference = '', currency = '', amount = ''] = record.map(unguardedCell);
    if (found?.row !== Number(row)) {
      if (found !== undefined) yield found;
      found = { row: Number(row), codes: new Set(), message, problems: 0, reference, currency, amount };
    }
    found.codes.add(code);
    found.problems++;
  }
  if (found !== undefined) yield found;
}
