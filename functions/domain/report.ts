import { createHash } from 'node:crypto';
import type { CurrencyPlan, PlanSummary } from './batch.ts';
import type { BatchTransition } from './batch-status.ts';
import { batchTransitions } from './batch-status.ts';
import type { PlannedPayout } from './chunk.ts';
import { addAmounts, compareAmounts } from './money.ts';
import type { Contradiction, Payout } from './payout.ts';
import type { PayoutField } from './payout-file/fields.ts';
import { fieldLimits, payoutFields } from './payout-file/fields.ts';
import type { PayoutStatus } from './payout-status.ts';
import { payoutStatuses } from './payout-status.ts';
import type { Progress } from './progress.ts';
import { countIn } from './progress.ts';

export const resultColumns = [
  'row',
  'reference',
  'rail',
  'currency',
  'amount',
  'fee',
  'status',
  'reasonCode',
  'reason',
  'heldBy',
  'disbursementId',
  'proofKey',
  'proofSha256',
  'contradictions',
  'updatedAt',
] as const;

const tellContradiction = ({ code, disbursementId, observed }: Contradiction): string =>
  `${code}:${disbursementId}:${observed}`;

/** One line of results.csv, in the order of resultColumns. Says nothing about who was paid. */
export const resultRow = (payout: Payout): readonly string[] => [
  String(payout.row),
  payout.reference,
  payout.rail,
  payout.currency,
  payout.amount,
  payout.fee ?? '',
  payout.status,
  payout.reason?.code ?? '',
  payout.reason?.message ?? '',
  payout.heldBy ?? '',
  payout.disbursementId ?? '',
  payout.proof?.key ?? '',
  payout.proof?.sha256 ?? '',
  (payout.contradictions ?? []).map(tellContradiction).join(' '),
  payout.updatedAt,
];

/** Reason of a payout that an operator has given up: see functions/api/settle. */
export const writtenOffCode = 'settled_written_off';

/** retry.csv has every column a payout file may have, so that it can be uploaded as it is. */
export const retryColumns = payoutFields;

/**
 * Whether a payout belongs into retry.csv: it failed, or the provider refused it. One that was rejected because its
 * reference is taken does not: the payout that holds the reference may have been made, and a new reference would make
 * it twice. Nor does a canceled one, or one that an operator has written off: somebody decided against it. Nor one that the
 * provider contradicts, seen to or not: what failed by its first word, or was refused, may have been paid by another, and
 * whether it is paid again is for a person to decide.
 */
export const isRetryable = ({
  status,
  reason,
  contradictions = [],
}: Pick<Payout, 'status' | 'reason' | 'contradictions'>): boolean =>
  contradictions.length === 0 &&
  ((status === 'failed' && reason?.code !== writtenOffCode) ||
    (status === 'rejected' && reason?.code !== 'duplicate_reference'));

/**
 * The reference under which a failed payout is tried again, made from the one it had: `INV-7`, `INV-7.r1`, `INV-7.r2`.
 * The old one is taken for ever. It is made the same way each time, so that the same retry file uploaded twice is
 * refused as duplicates instead of being paid twice.
 */
export const retryReference = (reference: string): string => {
  const [, base = reference, round = '0'] = /^(.*)\.r(\d{1,4})$/.exec(reference) ?? [];
  const suffix = `.r${Number(round) + 1}`;
  if (base.length + suffix.length <= fieldLimits.reference) return base + suffix;
  const digest = createHash('sha256').update(base).digest('hex').slice(0, 16);
  return `${base.slice(0, 40)}.${digest}${suffix}`;
};

/** One line of retry.csv, in the order of retryColumns: the row as it was, under a new reference (see retryReference). */
export const retryRow = (planned: PlannedPayout, currency: string): readonly string[] => {
  const { recipient } = planned;
  const values: Partial<Record<PayoutField, string>> = {
    ...planned,
    ...recipient,
    reference: retryReference(planned.reference),
    currency,
  };
  return retryColumns.map((field) => values[field] ?? '');
};

export interface StatusTotals {
  readonly status: PayoutStatus;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  readonly fee: string;
}

/** Counts and sums by currency and status; only what there is any of. */
export const totalsByStatus = ({ currencies }: Pick<Progress, 'currencies'>): readonly StatusTotals[] =>
  currencies.flatMap(({ currency, tallies }) =>
    payoutStatuses.flatMap((status) => {
      const tally = tallies[status];
      return tally === undefined || tally.count === 0 ? [] : [{ status, currency, ...tally }];
    }),
  );

/** A sum that should be and is not. */
export interface TallyProblem {
  readonly code: 'chunks_missing' | 'currency_unplanned' | 'count_differs' | 'amount_differs';
  /** Absent where the whole batch is meant. */
  readonly currency?: string;
  readonly planned: string;
  readonly found: string;
}

const currencyProblems = (plan: CurrencyPlan, totals: readonly StatusTotals[]): readonly TallyProblem[] => {
  const ofCurrency = totals.filter(({ currency }) => currency === plan.currency);
  const count = ofCurrency.reduce((sum, total) => sum + total.count, 0);
  const amount = addAmounts(...ofCurrency.map((total) => total.amount));
  const problems: TallyProblem[] = [];
  const { currency } = plan;
  if (count !== plan.count)
    problems.push({ code: 'count_differs', currency, planned: String(plan.count), found: String(count) });
  if (compareAmounts(amount, plan.amount) !== 0)
    problems.push({ code: 'amount_differs', currency, planned: plan.amount, found: amount });
  return problems;
};

/** Whether the ledger's counts and sums add up to the file. Empty when they do; anything else means a payout was lost. */
export const checkTallies = (
  plan: Pick<PlanSummary, 'chunks' | 'currencies'>,
  progress: Pick<Progress, 'chunks' | 'currencies'>,
): readonly TallyProblem[] => {
  const planned = new Set(plan.currencies.map(({ currency }) => currency));
  const unplanned = progress.currencies.filter(({ currency }) => !planned.has(currency));
  const totals = totalsByStatus(progress);
  return [
    ...(progress.chunks === plan.chunks
      ? []
      : [{ code: 'chunks_missing', planned: String(plan.chunks), found: String(progress.chunks) } as const]),
    ...unplanned.map((sum) => {
      const found = String(countIn({ currencies: [sum] }, ...payoutStatuses));
      return { code: 'currency_unplanned', currency: sum.currency, planned: '0', found } as const;
    }),
    ...plan.currencies.flatMap((currency) => currencyProblems(currency, totals)),
  ];
};

/**
 * How a batch ends by what became of its payouts. A payout that is still open (on hold, quarantined) counts as not
 * completed; when a person has settled it, the report made again may come to another end. `failed` says that nothing was
 * paid, and integrators pay the file again on that word. So a batch that may have paid something is `partially_completed`.
 */
export const endOfBatch = (
  progress: Pick<Progress, 'currencies' | 'payouts' | 'contradictions'>,
  cancelRequested: boolean,
): BatchTransition => {
  const completed = countIn(progress, 'completed');
  if (progress.payouts > 0 && completed === progress.payouts) return batchTransitions.complete;
  if (cancelRequested && (progress.payouts === 0 || countIn(progress, 'canceled') > 0)) return batchTransitions.cancel;
  const mayBePaid = completed + countIn(progress, 'on_hold', 'quarantined') + progress.contradictions.recorded;
  return mayBePaid === 0 ? batchTransitions.fail : batchTransitions.completePartially;
};
