import type { BatchTransition } from '../batch/batch-status.ts';
import { batchTransitions } from '../batch/batch-status.ts';
import type { PlannedPayout } from '../batch/chunk-file.ts';
import type { PlanSummary } from '../batch/plan.ts';
import type { Progress } from '../batch/progress.ts';
import { countIn } from '../batch/progress.ts';
import type { SkippedRow } from '../batch/skipped-rows.ts';
import { countSkipped } from '../batch/skipped-rows.ts';
import { Money } from '../money/money.ts';
import { tallyInText } from '../money/money-records.ts';
import type { ShownDestination } from '../payout/destination.ts';
import { nameOf, shownDestination } from '../payout/destination.ts';
import type { Payout } from '../payout/payout.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import { endedUnpaid, retryReference } from '../payout/retries.ts';
import type { PayoutField } from '../payout-file/field-table.ts';
import { payoutFields } from '../payout-file/fields.ts';
import { correctionColumns } from '../payout-file/readers/header.ts';

/** What a row was planned to be; undefined where its chunk file is not as it was written. */
type PlannedRow = PlannedPayout | undefined;

/** Payouts registered before the ledger kept it have it in the chunk file alone. */
const destinationOf = ({ destination }: Payout, planned: PlannedRow): ShownDestination | undefined =>
  destination ?? (planned && shownDestination(planned.recipient));

/** What results.csv tells of a payout, by column. Of the account only its end. */
const results: Readonly<Record<string, (payout: Payout, planned: PlannedRow) => string | undefined>> = {
  row: ({ row }) => String(row),
  reference: ({ reference }) => reference,
  name: (_, planned) => planned && nameOf(planned),
  bankCode: (payout, planned) => destinationOf(payout, planned)?.bankCode,
  account: (payout, planned) => destinationOf(payout, planned)?.account,
  rail: ({ rail }) => rail,
  currency: ({ amount }) => amount.currency,
  amount: ({ amount }) => amount.amount,
  // What the provider gives back nobody bore.
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

/** The columns of results.csv: its own, then those of the file that begin with `x-`. */
export const resultColumns = (extraColumns: readonly string[]): readonly string[] => [
  ...Object.keys(results),
  ...extraColumns,
];

/**
 * One line of results.csv, in the order of resultColumns.
 *
 * @param planned undefined where the chunk file is not as it was written: then only what the ledger knows is told
 */
export const resultRow = (
  payout: Payout,
  planned: PlannedPayout | undefined,
  extraColumns: readonly string[],
): readonly string[] => [
  ...Object.values(results).map((tell) => tell(payout, planned) ?? ''),
  ...extraColumns.map((name) => planned?.extras?.[name] ?? ''),
];

/** The line of results.csv of a row that was skipped: it is no payout, and has no status of one. */
export const skippedResultRow = (skipped: SkippedRow, extraColumns: readonly string[]): readonly string[] => {
  const { row, reference, currency, amount, codes, message, problems, extras = {} } = skipped;
  const cells: Readonly<Record<string, string>> = {
    row: String(row),
    reference,
    currency,
    amount,
    status: 'skipped',
    reasonCode: [...codes].join(' '),
    reason: problems === 1 ? message : `${message} Problems of this row in errors.csv: ${problems}.`,
    // Their names begin with x-, and so differ from all others.
    ...extras,
  };
  return resultColumns(extraColumns).map((column) => cells[column] ?? '');
};

/**
 * The retry file has every column a payout file may have, and the file's own, so that it can be uploaded as it is. Its last says
 * why the payout failed: an account that is closed is put right first. Readers leave it out, as they do of a file to correct.
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

/** One line of the retry file, in the order of retryColumns: the row as it was, under a new reference (see retryReference). */
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

/** Counts and sums by currency and status; only what there is any of. */
export const totalsByStatus = ({ currencies }: Pick<Progress, 'currencies'>) =>
  currencies.flatMap(({ currency, tallies }) =>
    payoutStatuses.flatMap((status) => {
      const tally = tallies[status];
      return tally === undefined || tally.count === 0 ? [] : [{ status, currency, ...tallyInText(tally) }];
    }),
  );

/** Whether the ledger's counts and sums, and the skipped rows, add up to the file. Empty when they do; else a row was lost. */
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
 * How a batch ends by what became of its payouts. A payout that is still open (on hold, quarantined) counts as not
 * completed; when a person has settled it, the report made again may come to another end. Nor is a file completed of which
 * rows were skipped. `failed` says that nothing was paid, and integrators pay the file again on that word. So a batch that
 * may have paid something is `partially_completed`.
 *
 * @param hasMaybePaid one of its payouts may have been paid: see mayBePaid
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
