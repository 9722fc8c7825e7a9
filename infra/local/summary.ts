import Big from 'big.js';
import type { BatchView } from '../../functions/api/schemas/batch.ts';
import type { CostLine } from './price-list.ts';
import { totalUsd } from './price-list.ts';

/** A table for a terminal: the first column to the left, the others to the right where they are numbers. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { numbers } = { numbers: true },
): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 || !numbers ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

const statuses = ['completed', 'failed', 'canceled', 'rejected', 'on_hold', 'quarantined'] as const;

/** `1234567.5` as `1,234,567.5`. */
const grouped = (amount: string): string => {
  const [whole = '0', decimals] = amount.split('.');
  const withCommas = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? withCommas : `${withCommas}.${decimals}`;
};

function outcomeTable(batch: BatchView): string {
  const shown = statuses.filter((status) => (batch.counts[status] ?? 0) > 0);
  return table(
    ['currency', 'payouts', ...shown.map((status) => status.replaceAll('_', ' ')), 'sum planned', 'sum completed'],
    batch.currencies.map(({ currency, planned, statuses: tallies }) => [
      currency,
      String(planned.count),
      ...shown.map((status) => String(tallies[status]?.count ?? 0)),
      grouped(planned.amount),
      grouped(tallies.completed?.amount ?? '0'),
    ]),
  );
}

function feesTable(batch: BatchView): string {
  return table(
    ['fees', 'estimated', 'actual', 'difference'],
    batch.currencies.map(({ currency, feeEstimated, feeActual }) => [
      currency,
      grouped(feeEstimated),
      grouped(feeActual),
      grouped(new Big(feeActual).minus(feeEstimated).toFixed()),
    ]),
  );
}

function conversionLines(batch: BatchView): readonly string[] {
  if (batch.conversions.length === 0) return ['Nothing had to be converted.'];
  return batch.conversions.map(
    ({ n, status, inputCurrency, outputCurrency, inputAmount, outputAmount, rate }) =>
      `Conversion ${n} ${status}: ${grouped(inputAmount ?? '?')} ${inputCurrency} to ` +
      `${grouped(outputAmount ?? '?')} ${outputCurrency} at ${new Big(rate).round(6).toFixed()}`,
  );
}

/** What a person wants to know of a batch that has ended. */
export function summaryOf(batch: BatchView, seconds: number, costs: readonly CostLine[], stored: string): string {
  const total = totalUsd(costs);
  const payouts = batch.plan?.validRows ?? 0;
  const perThousand = payouts === 0 ? '0' : new Big(total).times('1000').div(String(payouts)).toFixed(4);
  return [
    `Batch ${batch.batchId}: ${batch.status.replaceAll('_', ' ')}, in ${seconds} seconds`,
    '',
    outcomeTable(batch),
    '',
    feesTable(batch),
    '',
    ...conversionLines(batch),
    `Transfer proofs: ${batch.proofs.archived} archived of ${batch.proofs.expected} completed bank transfers`,
    '',
    table(
      ['AWS cost by the price list', 'count', 'USD'],
      costs.map(({ what, count, usd }) => [what, grouped(count), new Big(usd).toFixed(6)]),
    ),
    `In all ${new Big(total).toFixed(4)} USD, ${perThousand} USD per 1,000 payouts. Transitions, functions and files are counted; DynamoDB units and S3 reads are reckoned.`,
    '',
    `Results and proofs: ${stored}`,
  ].join('\n');
}
