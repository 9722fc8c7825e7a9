import type { Batch } from '../../../functions/domain/batch/batch.ts';
import type { Payout } from '../../../functions/domain/payout/payout.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { amountText, millionths } from '../provider/money.ts';
import type { TruePayment, Truth } from '../provider/truth.ts';
import { reconcileEveryMs } from '../reconciliation.ts';
import type { Report } from './violation.ts';

export interface LateTurnParts {
  readonly table: MemoryTable;
  readonly truth: Truth;
  readonly bucket: MemoryBucket;
  readonly report: Report;
  /** Days after its end at which a batch is compared with the provider. */
  readonly days: readonly number[];
  /** Milliseconds since 1970 after which no fault occurs. */
  readonly clearAt: number;
  /** Alarms that were raised, each with its batch. */
  readonly alarms: ReadonlySet<string>;
}

const dayMs = 86_400_000;
/** Time for a few comparisons: one may have begun just before, and the provider may leave a few unanswered. */
const slackMs = 5 * reconcileEveryMs + 900_000;
const ends: readonly string[] = ['completed', 'failed', 'canceled'];
const endEvents: readonly unknown[] = [
  'batch.completed',
  'batch.partially_completed',
  'batch.failed',
  'batch.canceled',
];

/** The latest time at which a comparison has shown a change of the provider. Undefined when none was due after it. */
const shownBy = ({ table, days, clearAt }: LateTurnParts, batchId: string, changedAt: number): number | undefined => {
  const ended = table
    .partition(`BATCH#${batchId}`, 'EVENT#')
    .filter(({ code }) => endEvents.includes(code))
    .map(({ at }) => Date.parse(String(at)));
  const due = ended
    .flatMap((at, index) =>
      days.map((day) => ({ at: at + day * dayMs, before: ended[index + 1] ?? Number.POSITIVE_INFINITY })),
    )
    .find(({ at, before }) => at > changedAt && at + slackMs < before);
  return due === undefined ? undefined : Math.max(due.at, clearAt) + slackMs;
};

/** A payment that came back, or moved on, after its batch ended is reported and listed within the days of the setting. */
const checkTurn = (parts: LateTurnParts, batch: Batch, payout: Payout, payment: TruePayment): void => {
  const { batchId, chunk, reference, status, disbursementId, contradictions = [], statusSince } = payout;
  const subject = { batchId, chunk, reference };
  const changedAt = payment.changedAt ?? payment.createdAt;
  const mostAt = shownBy(parts, batchId, Math.max(changedAt, payment.visibleAt));
  if (mostAt === undefined || !ends.includes(payment.status)) return;
  if (!ends.includes(status) && disbursementId === payment.id)
    parts.report(
      'returned payments are reported',
      `${status}, and ${payment.id} is ${payment.status} for days`,
      subject,
    );
  if (payment.returnedAt === undefined || status !== 'completed') return;
  // A payout that ended after its payment came back is compared after that.
  if (Date.parse(statusSince ?? '') > payment.returnedAt) return;
  const recorded = contradictions.find((one) => one.disbursementId === payment.id && one.observed === payment.status);
  if (recorded === undefined || Date.parse(recorded.at) > mostAt)
    parts.report('returned payments are reported', `${payment.id} came back, recorded at ${recorded?.at}`, subject);
  const results = parts.bucket.content(batch.report?.resultsKey ?? '')?.toString('utf8') ?? '';
  if (!results.includes(`:${payment.id}:${payment.status}`))
    parts.report('returned payments are reported', `${payment.id} came back, and results.csv omits it`, subject);
};

/** Charged fees far from the estimate are reported, whichever step adds them up. */
const checkFees = (
  { alarms, days, report }: LateTurnParts,
  { batchId, plan, report: written }: Batch,
  payouts: readonly Payout[],
): void => {
  for (const { currency, fee } of plan?.currencies ?? []) {
    const charged = payouts
      .filter((one) => one.amount.currency === currency && !['failed', 'canceled', 'rejected'].includes(one.status))
      // A payout that a person settles later is added up at the comparison. Without comparisons only the settling reports it.
      .filter((one) => days.length > 0 || written === undefined || (one.statusSince ?? '') <= written.reportedAt)
      .reduce((sum, one) => sum + millionths(one.fee?.amount ?? '0'), 0n);
    if (written?.interim !== undefined || charged <= 10n * millionths(fee.amount)) continue;
    if (!alarms.has(`FeesBeyondEstimate ${batchId}`))
      report('a wrong fee is reported', `${amountText(charged)} ${currency}, ${fee.amount} estimated`, { batchId });
  }
};

/** A batch that paid nobody raises an alarm, unless it was a preview. */
const checkFailedTold = ({ alarms, report }: LateTurnParts, { batchId, status, mode }: Batch): void => {
  if (mode === 'preview' || (status !== 'failed' && status !== 'validation_failed')) return;
  if (!alarms.has(`BatchFailed ${batchId}`))
    report('a failed batch is reported', `${status}, and no alarm was raised`, { batchId });
};

/** Compares the reports about an ended batch with its state, and with the provider's later changes. */
export const checkLateTurns = (parts: LateTurnParts, batch: Batch, payouts: readonly Payout[]): void => {
  checkFailedTold(parts, batch);
  checkFees(parts, batch, payouts);
  for (const payout of payouts) {
    const [payment, another] = parts.truth.byReference(payout.reference);
    if (payment === undefined || another !== undefined || payment.madeBy === 'outsider') continue;
    checkTurn(parts, batch, payout, payment);
  }
};
