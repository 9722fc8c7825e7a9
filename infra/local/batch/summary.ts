import Big from 'big.js';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { isOpenPayout } from '../../../functions/api/schemas/payout.ts';
import {
  formatAmount,
  formatCount,
  formatDecimal,
  formatMoney,
  plural,
} from '../../../functions/domain/money/format-money.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import type { CostLine } from '../costs/price-list.ts';
import { totalUsd } from '../costs/price-list.ts';
import { printable, table } from '../text-table.ts';

/** A line of results.csv: its values by column. */
export type ResultLine = Readonly<Record<string, string>>;

/** Rows shown of each outcome. All are in results.csv. */
const shownRows = 20;

type Outcome = 'paid' | 'waits' | 'not paid';

const outcomeOf = ({ status = '' }: ResultLine): Outcome => {
  if (status === 'completed') return 'paid';
  return isOpenPayout(status) ? 'waits' : 'not paid';
};

const are = (count: number, what: string): string => `${formatCount(count)} ${plural(count, 'is', 'are')} ${what}`;

const headline = (batch: BatchView, outcomes: ReadonlyMap<Outcome, readonly ResultLine[]>, seconds: number): string => {
  const [paid = [], waits = [], notPaid = []] = (['paid', 'waits', 'not paid'] as const).map((one) =>
    outcomes.get(one),
  );
  const all = paid.length + waits.length + notPaid.length;
  const name = `Batch ${batch.batchId}: ${batch.status.replaceAll('_', ' ')}, in ${seconds} seconds.`;
  if (paid.length === all)
    return `${name} ${all === 1 ? 'The one payout is' : `All ${formatCount(all)} payouts are`} paid.`;
  const rest = [
    ...(notPaid.length === 0 ? [] : [are(notPaid.length, 'not paid')]),
    ...(waits.length === 0 ? [] : [are(waits.length, 'on the way or waiting')]),
  ];
  return `${name} Of ${formatCount(all)} payouts, ${[are(paid.length, 'paid'), ...rest].join(', ')}.`;
};

const moneyTable = (batch: BatchView, lines: readonly ResultLine[]): string => {
  const count = (currency: string, outcome: Outcome): string =>
    formatCount(lines.filter((line) => line['currency'] === currency && outcomeOf(line) === outcome).length);
  return table(
    ['currency', 'paid', 'sum paid', 'fees', 'not paid', 'waiting'],
    batch.currencies.map(({ currency, statuses, feeActual }) => [
      currency,
      count(currency, 'paid'),
      formatAmount(Money.of(statuses.completed?.amount ?? '0', currency)),
      formatAmount(Money.of(feeActual, currency)),
      count(currency, 'not paid'),
      count(currency, 'waits'),
    ]),
  );
};

const rowsTable = (title: string, lines: readonly ResultLine[] = []): readonly string[] => {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, shownRows).map((line) => {
    const { row = '', reference = '', name = '', account = '', currency = '', amount = '' } = line;
    const { reason = '', providerText = '' } = line;
    const money = amount === '' ? '' : formatMoney(Money.of(amount, currency));
    return [row, reference, name || account, money, `${reason} ${providerText}`.trim()].map(printable);
  });
  const more = lines.length - shown.length;
  return [
    '',
    title,
    '',
    table(['row', 'reference', 'who', 'amount', 'why'], shown, { numbers: false }),
    ...(more > 0 ? [`and ${formatCount(more)} more, in results.csv`] : []),
  ];
};

const nextSteps = (batch: BatchView): readonly string[] => {
  const retry = batch.files
    .filter((name) => name.startsWith('retry.'))
    .map((name) => `${name} has the failed rows, under new references. Correct them, then upload the file.`);
  const steps = [...batch.attention.map(({ message }) => message), ...retry];
  return ['', 'What to do next', '', ...(steps.length === 0 ? ['- Nothing.'] : steps.map((step) => `- ${step}`))];
};

const known = (amount: string | undefined, currency: string): string =>
  amount === undefined ? `? ${currency}` : formatMoney(Money.of(amount, currency));

const conversionLines = (batch: BatchView): readonly string[] =>
  batch.conversions.map(
    ({ status, inputCurrency, outputCurrency, inputAmount, outputAmount, rate }) =>
      `Converted (${status.replaceAll('_', ' ')}): ${known(inputAmount, inputCurrency)} to ` +
      `${known(outputAmount, outputCurrency)} at ${new Big(rate).round(6).toFixed()}`,
  );

/**
 * What a payroll clerk wants to know about a batch that has ended: who was paid, who was not and why, what to do next.
 *
 * @param lines the lines of results.csv
 * @param seconds how long the batch took
 * @param stored the folder with results and proofs
 */
export const summaryOf = (batch: BatchView, lines: readonly ResultLine[], seconds: number, stored: string): string => {
  const outcomes = Map.groupBy(lines, outcomeOf);
  const { archived, expected } = batch.proofs;
  return [
    headline(batch, outcomes, seconds),
    '',
    moneyTable(batch, lines),
    ...conversionLines(batch),
    ...rowsTable('Not paid', outcomes.get('not paid')),
    ...rowsTable('On the way or waiting', outcomes.get('waits')),
    ...nextSteps(batch),
    '',
    `Results, and ${formatCount(archived)} of ${formatCount(expected)} transfer proofs: ${stored}`,
  ].join('\n');
};

/** What the batch costs on AWS: a `whole` report with every item, and the total as one `line`. */
export const costReport = (
  batch: BatchView,
  costs: readonly CostLine[],
): { readonly whole: string; readonly line: string } => {
  const total = totalUsd(costs);
  const payouts = batch.plan?.validRows ?? 0;
  const perThousand = payouts === 0 ? '0' : new Big(total).times('1000').div(String(payouts)).toFixed(4);
  const lines = costs.map(({ what, count, usd }) => [what, formatDecimal(count), new Big(usd).toFixed(6)]);
  const line = `AWS cost by the price list: ${new Big(total).toFixed(4)} USD, ${perThousand} USD per 1,000 payouts.`;
  const how = 'Transitions, functions and files are counted. DynamoDB units and S3 reads are estimates.';
  return { whole: `${table(['AWS', 'count', 'USD'], lines)}\n\n${line} ${how}\n`, line };
};
