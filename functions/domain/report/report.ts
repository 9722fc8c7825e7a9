import type { BatchTransition } from '../batch/batch-status.ts';
import { batchTransitions } from '../batch/batch-status.ts';
import type { PlannedPayout } from '../batch/chunk-file.ts';
import type { PlanSummary } from '../batch/plan.ts';
import type { Progress } from '../batch/progress.ts';
import { countIn } from '../batch/progress.ts';
import type { SkippedRow } from '../batch/skipped-rows.ts';
import { countSkipped } from '../batch/skipped-rows.ts';
import { Money } from '../money/money.ts';
import { inText } from '../money/money-records.ts';
import type { ShownDestination } from '../payout/destination.ts';
import { nameOf, shownDestination } from '../payout/destination.ts';
import type { Payout } from '../payout/payout.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { endedUnpaid, retryReference } from '../payout/retries.ts';
import type { PayoutField } from '../payout-file/field-table.ts';
import { payoutFields } from '../payout-file/fields.ts';
import { correctionColumns } from '../payout-file/readers/header.ts';

/** The planned payout of a row. Undefined when its chunk file was altered. */
type PlannedRow = PlannedPayout | undefined;

/** For payouts registered before the ledger kept the destination, only the chunk file has it. */
const destinationOf = ({ destination }: Payout, planned: PlannedRow): ShownDestination | undefined =>
  destination ?? (planned && shownDestination(planned.recipient));

/** The cells of results.csv, by column. Only the end of an account is shown. */
const results: Readonly<Record<string, (payout: Payout, planned: PlannedRow) => string | undefined>> = {
  row: ({ row }) => String(row),
  reference: ({ reference }) => reference,
  name: (_, planned) => planned && nameOf(planned),
  bankCode: (payout, planned) => destinationOf(payout, planned)?.bankCode,
  account: (payout, planned) => destinationOf(payout, planned)?.account,
  rail: ({ rail }) => rail,
  currency: ({ amount }) => amount.currency,
  amount: ({ amount }) => amount.amount,
  // Nobody bore a fee that the provider returns.
  fee: (payout) => (endedUnpaid(payout) ? undefined : payout.fee?.amount),
  status: ({ status }) => status,
  reasonCode: ({ reason }) => reason?.code,
  reason: ({ reason }) => reason?.message,
  providerText: ({ reason }) => reason?.providerText,
  heldBy: ({ heldBy }) => heldBy,
  disbursementId: ({ disbursementId }) => disbursementId,
  proofKey: ({ proof }) => proof?.key,
  proofSha256: ({ proof }) => proof?.sha256,
  contradictions: ({ contradictions = [] }) =>
    contradictions.map(({ code, disbursementId, observed }) => `${code}:${disbursementId}:${observed}`).join(' '),
  updatedAt: ({ updatedAt }) => updatedAt,
};

/** The columns of results.csv: its own, then the file's columns that begin with `x-`. */
export const resultColumns = (extraColumns: readonly string[]): readonly string[] => [
  ...Object.keys(results),
  ...extraColumns,
];

/**
 * One line of results.csv, in the order of resultColumns.
 *
 * @param planned undefined when the chunk file was altered. Then the line has only what the ledger knows.
 */
export const resultRow = (
  payout: Payout,
  planned: PlannedPayout | undefined,
  extraColumns: readonly string[],
): readonly string[] => [
  ...Object.values(results).map((cell) => cell(payout, planned) ?? ''),
  ...extraColumns.map((name) => planned?.extras?.[name] ?? ''),
];

/** The line of results.csv for a skipped row, which is no payout and has no payout status. */
export const skippedResultRow = (skipped: SkippedRow, extraColumns: readonly string[]): readonly string[] => {
  const { row, reference, currency, amount, codes, message, problems, extras = {} } = skipped;
  const cells: Readonly<Record<string, string>> = {
    row: String(row),
    reference,
    currency,
    amount,
    status: 'skipped',
    reasonCode: [...codes].join(' '),
    reason: problems === 1 ? message : `${message} errors.csv lists ${problems} problems of this row.`,
    // Their names begin with x-, so they differ from all others.
    ...extras,
  };
  return resultColumns(extraColumns).map((column) => cells[column] ?? '');
};

/**
 * Columns of the retry file: all columns that a payout file may have, and the file's own, so that it can be uploaded unchanged.
 * The last one says why the payout failed, so that a closed account is corrected first. Readers ignore it, as in a file to
 * correct.
 */
export const retryColumns = (extraColumns: readonly string[]): readonly string[] => [
  ...payoutFields,
  ...extraColumns,
  correctionColumns(undefined)[0],
];

const whyFailed = ({ reason }: Pick<Payout, 'reason'>): string => {
  const { message = '', providerText = '' } = reason ?? {};
  return message.includes(providerText) ? message : `${message} ${providerText}`;
};

/** One line of the retry file, in the order of retryColumns: the original row, under a new reference (see retryReference). */
export const retryRow = (
  planned: PlannedPayout,
  payout: Pick<Payout, 'amount' | 'reason'>,
  extraColumns: readonly string[],
): readonly string[] => {
  const { recipient, extras = {}, ...own } = planned;
  const values: Partial<Record<PayoutField, string>> = {
    ...own,
    ...recipient,
    reference: retryReference(planned.reference),
    currency: payout.amount.currency,
  };
  return [
    ...payoutFields.map((field) => values[field] ?? ''),
    ...extraColumns.map((name) => extras[name] ?? ''),
    whyFailed(payout),
  ];
};

/** Counts and sums by currency and status, without empty ones. */
export const totalsByStatus = ({ currencies }: Pick<Progress, 'currencies'>) =>
  currencies.flatMap(({ currency, tallies }) =>
    payoutStatuses.flatMap((status) => {
      const tally = tallies[status];
      return tally === undefined || tally.count === 0 ? [] : [{ status, currency, ...inText(tally) }];
    }),
  );

/**
 * Checks that the ledger's counts and sums, plus the skipped rows, add up to the file. Returns the problems. Any problem means a
 * lost row.
 */
export const checkTallies = (
  plan: Pick<PlanSummary, 'chunks' | 'currencies' | 'manifestKey' | 'rows' | 'invalidRows'>,
  progress: Pick<Progress, 'chunks' | 'currencies' | 'payouts'>,
): readonly string[] => {
  const problems = progress.chunks === plan.chunks ? [] : ['chunks_missing'];
  if (progress.payouts + countSkipped(plan) !== plan.rows) problems.push('rows_differ');
  const planned = new Set(plan.currencies.map(({ currency }) => currency));
  if (progress.currencies.some(({ currency }) => !planned.has(currency))) problems.push('currency_unplanned');
  for (const { currency, count, amount } of plan.currencies) {
    const found = progress.currencies.filter((one) => one.currency === currency);
    const amounts = found.flatMap(({ tallies }) => Object.values(tallies).map((tally) => tally.amount));
    if (countIn(found, ...payoutStatuses) !== count) problems.push('count_differs');
    if (!Money.sum(currency, amounts).equals(amount)) problems.push('amount_differs');
  }
  return problems;
};

/**
 * Decides a batch's end from its payouts. A payout that is still open (on hold, quarantined) counts as not completed. After a
 * person settled it, a new report may reach another end. A file with skipped rows is never `completed`. With `cancelRequested`
 * the batch is `canceled` only if one of its payouts is, or if it has none.
 *
 * `failed` means that nothing was paid, and integrators then pay the file again. A batch that may have paid something is
 * `partially_completed`.
 *
 * @param hasMaybePaid true when one of its payouts may have been paid: see mayBePaid
 */
export const endOfBatch = (
  plan: Pick<PlanSummary, 'manifestKey' | 'invalidRows'>,
  progress: Pick<Progress, 'currencies' | 'payouts'>,
  hasMaybePaid: boolean,
  cancelRequested: boolean,
): BatchTransition => {
  const completed = countIn(progress.currencies, 'completed');
  const allCompleted = progress.payouts > 0 && completed === progress.payouts;
  if (allCompleted && countSkipped(plan) === 0) return batchTransitions.complete;
  if (cancelRequested && (progress.payouts === 0 || countIn(progress.currencies, 'canceled') > 0))
    return batchTransitions.cancel;
  return hasMaybePaid ? batchTransitions.completePartially : batchTransitions.fail;
};
