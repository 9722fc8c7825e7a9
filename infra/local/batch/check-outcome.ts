import { createReadStream } from 'node:fs';
import Big from 'big.js';
import { parse } from 'csv-parse';
import * as z from 'zod';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import { payoutPage } from '../../../functions/api/schemas/payout.ts';
import { plural } from '../../../functions/domain/money/format-money.ts';
import type { OperatorClient } from '../operator-client.ts';

/** The columns of the payout file that are compared with the outcome. */
const csvRow = z.object({ reference: z.string().default(''), amount: z.string(), currency: z.string() });
type FileRow = z.infer<typeof csvRow> & { readonly row: number };

/** Reads every payout of the batch, page by page. */
export const allPayouts = async (api: OperatorClient, batchId: string): Promise<readonly PayoutView[]> => {
  const payouts: PayoutView[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await api.ask({ method: 'GET', path: `/batches/${batchId}/payouts?limit=100${next}` }, payoutPage);
    payouts.push(...page.payouts);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return payouts;
};

/** The rows of a CSV file with the documented column names, in any letter case. Undefined for any other file. */
const rowsOf = async (file: string): Promise<readonly FileRow[] | undefined> => {
  if (!file.endsWith('.csv')) return undefined;
  const rows: FileRow[] = [];
  const columns = (header: readonly string[]): string[] =>
    header.map((name) => name.toLowerCase().replaceAll(/[\s_-]+/g, ''));
  const parser = createReadStream(file).pipe(parse({ columns, bom: true, skip_empty_lines: true }));
  for await (const record of parser) {
    const parsed = csvRow.safeParse(record);
    if (!parsed.success) return undefined;
    rows.push({ row: rows.length + 1, ...parsed.data });
  }
  return rows;
};

/** Statuses in which a payout is accounted for: it has ended, or it visibly waits for a person. */
const accounted: readonly PayoutView['status'][] = [
  'completed',
  'failed',
  'canceled',
  'rejected',
  'on_hold',
  'quarantined',
];

/** Sentences that say what is wrong with the outcome of a batch. Empty when every row of the file is accounted for. */
export const outcomeProblems = async (
  file: string,
  batch: BatchView,
  payouts: readonly PayoutView[],
): Promise<readonly string[]> => {
  const { plan, proofs } = batch;
  if (plan === undefined) return ['The batch has no plan, so its file was not read.'];
  const problems: string[] = [];
  if (plan.validRows + plan.invalidRows !== plan.rows) {
    problems.push(
      `The file has ${plan.rows} rows, but ${plan.validRows} valid and ${plan.invalidRows} invalid ones were counted.`,
    );
  }
  if (payouts.length !== plan.validRows) {
    problems.push(`${plan.validRows} payouts were planned, but ${payouts.length} are in the ledger.`);
  }
  for (const payout of payouts.filter(({ status }) => !accounted.includes(status))) {
    problems.push(`Row ${payout.row} (${payout.reference}) is ${payout.status}.`);
  }
  if (proofs.archived !== proofs.expected) {
    problems.push(`${proofs.expected} bank transfers were completed, but ${proofs.archived} proofs are archived.`);
  }
  const rows = await rowsOf(file);
  return rows === undefined ? problems : [...problems, ...differences(rows, payouts, plan)];
};

const differences = (
  rows: readonly FileRow[],
  payouts: readonly PayoutView[],
  plan: NonNullable<BatchView['plan']>,
): readonly string[] => {
  const byRow = new Map(payouts.map((payout) => [payout.row, payout]));
  if (rows.length !== plan.rows) return [`The file has ${rows.length} rows, but the batch read ${plan.rows}.`];
  const missing = rows.filter(({ row }) => !byRow.has(row));
  const problems =
    missing.length === plan.invalidRows
      ? []
      : [`${missing.length} ${plural(missing.length, 'row of the file has', 'rows of the file have')} no payout.`];
  for (const { row, reference, amount, currency } of rows) {
    const payout = byRow.get(row);
    if (payout === undefined) continue;
    const same =
      new Big(amount).eq(payout.amount) &&
      payout.currency.toLowerCase() === currency.toLowerCase() &&
      (reference === '' || payout.reference === reference);
    if (!same) problems.push(`Row ${row} differs from the payout ${payout.reference}.`);
  }
  return problems;
};
