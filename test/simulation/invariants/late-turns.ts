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
  /** Days after an end at which the batch is compared with the provider. */
  readonly days: readonly number[];
  /** Milliseconds since 1970 from which nothing goes wrong any more. */
  readonly clearAt: number;
  /** Alarms that rang, with the batch that each named. */
  readonly alarms: ReadonlySet<string>;
}

const dayMs = 86_400_000;
/** Some runs of the comparison: one may have begun just before, and a provider may not answer a few. */
const slackMs = 5 * reconcileEveryMs + 900_000;
const ends: readonly string[] = ['completed', 'failed', 'canceled'];
const endEvents: readonly unknown[] = [
  'batch.completed',
  'batch.partially_completed',
  'batch.failed',
  'batch.canceled',
];

/** When a comparison at the latest has shown what the provider changed at a time; undefined: none was made after it. */
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

/** What came back, or went on, after its batch had ended is told within the days of the setting, and listed. */
const checkTurn = (parts: LateTurnParts, batch: Batch, payout: Payout, payment: TruePayment): void => {
  const { batchId, chunk, reference, status, disbursementId, contradictions = [], statusSince } = payout;
  const subject = { batchId, chunk, reference };
  const changedAt = payment.changedAt ?? payment.createdAt;
  const mostAt = shownBy(parts, batchId, Math.max(changedAt, payment.visibleAt));
  if (mostAt === undefined || !ends.includes(payment.status)) return;
  if (!ends.includes(status) && disbursementId === payment.id)
    parts.report('what came back is told', `${status}, and ${payment.id} is ${payment.status} for days`, subject);
  if (payment.returnedAt === undefined || status !== 'completed') return;
  // What ended after it had come back is compared after that.
  if (Date.parse(statusSince ?? '') > payment.returnedAt) return;
  const told = contradictions.find((one) => one.disbursementId === payment.id && one.observed === payment.status);
  if (told === undefined || Date.parse(told.at) > mostAt)
    parts.report('what came back is told', `${payment.id} came back, told at ${told?.at}`, subject);
  const results = parts.bucket.content(batch.report?.resultsKey ?? '')?.toString('utf8') ?? '';
  if (!results.includes(`:${payment.id}:${payment.status}`))
    parts.report('what came back is told', `${payment.id} came back, and results.csv does not say so`, subject);
};

/** Charged fees that are far off are told, whoever adds them up. */
const checkFees = (
  { alarms, days, report }: LateTurnParts,
  { batchId, plan, report: written }: Batch,
  payouts: readonly Payout[],
): void => {
  for (const { currency, fee } of plan?.currencies ?? []) {
    const charged = payouts
      .filter((one) => one.amount.currency === currency && !['failed', 'canceled', 'rejected'].includes(one.status))
      // What a person settles later is added up when the batch is compared: where it never is, the settling alone tells it.
      .filter((one) => days.length > 0 || written === undefined || (one.statusSince ?? '') <= written.reportedAt)
      .reduce((sum, one) => sum + millionths(one.fee?.amount ?? '0'), 0n);
    if (written?.interim !== undefined || charged <= 10n * millionths(fee.amount)) continue;
    if (!alarms.has(`FeesBeyondEstimate ${batchId}`))
      report('a fee that is off is told', `${amountText(charged)} ${currency}, ${fee.amount} estimated`, { batchId });
  }
};

/** A batch that paid nobody is told, unless it was a preview. */
const checkFailedTold = ({ alarms, report }: LateTurnParts, { batchId, status, mode }: Batch): void => {
  if (mode === 'preview' || (status !== 'failed' && status !== 'validation_failed')) return;
  if (!alarms.has(`BatchFailed ${batchId}`))
    report('a failed batch is told', `${status}, and no alarm rang`, { batchId });
};

/** Holds what was told of an ended batch against how it stands, and against what the provider did since. */
export const checkLateTurns = (parts: LateTurnParts, batch: Batch, payouts: readonly Payout[]): void => {
  checkFailedTold(parts, batch);
  checkFees(parts, batch, payouts);
  for (const payout of payouts) {
    const [payment, another] = parts.truth.byReference(payout.reference);
    if (payment === undefined || another !== undefined || payment.madeBy === 'outsider') continue;
    checkTurn(parts, batch, payout, payment);
  }
};
