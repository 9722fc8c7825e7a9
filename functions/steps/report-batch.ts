import * as z from 'zod';
import { releaseReservation } from '../batches/reservation.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { isBatchEnd } from '../domain/batch/batch-status.ts';
import type { Progress } from '../domain/batch/progress.ts';
import { countIn, sumProgress } from '../domain/batch/progress.ts';
import { reasonOfSkipped } from '../domain/batch/skipped-rows.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { compareFees } from '../domain/money/fees.ts';
import { feesInText } from '../domain/money/money-records.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import { payoutStatusesBeforeAnEnd, payoutStatusesThat } from '../domain/payout/payout-status.ts';
import { reconcileAt } from '../domain/payout/reconciliation.ts';
import { checkTallies, endOfBatch } from '../domain/report/report.ts';
import { isoNow } from '../ports/environment.ts';
import { executionNumber } from '../ports/workflow.ts';
import { clock, files, ids, ledger, log, settings } from '../runtime.ts';
import type { FollowPlace } from './follow.ts';
import type { WriteReportsDependencies } from './report/write-reports.ts';
import { writeReports } from './report/write-reports.ts';
import type { Needs } from './step.ts';
import { asStep, executionInput, getExistingBatch, planOf } from './step.ts';

export type ReportBatchDependencies = WriteReportsDependencies &
  Needs<
    {
      ledger: 'getBatch' | 'moveBatch' | 'amendBatch' | 'listChunks' | 'readFunds' | 'reserve';
      settings: 'conversionSources' | 'reconcileAfterDays';
    },
    'log'
  >;

export const reportInput = executionInput.extend({
  /** While something is open: the reports say so, and the batch goes on. */
  isInterim: z.boolean().default(false),
  /** Sweeps of this execution so far, for the way back to Follow. */
  sweeps: z.int().min(0).default(0),
});

export interface ReportBatchOutput extends FollowPlace {
  /** `follow`: something is open, or has come to be so since it was looked at. */
  readonly next: 'ended' | 'follow';
}

/**
 * Ends a batch: its counts and sums must add up to the file, then the reports are written, the reservation is given
 * back, and the batch moves to its final status. Interim reports are written as well while payouts are with the provider or wait
 * for a person; they say how many rows are open.
 */
export const reportBatch = async (
  dependencies: ReportBatchDependencies,
  { batchId, execution, isInterim, sweeps }: z.infer<typeof reportInput>,
): Promise<ReportBatchOutput> => {
  const { ledger, settings, clock, log } = dependencies;
  const endedExecution = executionNumber(batchId, execution);
  const batch = await getExistingBatch(ledger, batchId);
  const plan = planOf(batch);
  const readAt = clock();
  const records = await ledger.listChunks(batchId);
  const progress = sumProgress(records, readAt);
  /** Payouts of chunks that were never registered count as well. */
  const rowsThatAre = (statuses: readonly PayoutStatus[]): number =>
    countIn(progress.currencies, ...statuses) + Math.max(0, plan.validRows - progress.payouts);
  const goesOn = { batchId, next: 'follow', round: 0, manifestKey: '', sweeps, cursor: 0 } as const;
  if (isInterim && progress.payouts > 0) {
    const interim = { openRows: rowsThatAre(payoutStatusesBeforeAnEnd) };
    const { report } = await writeReports(dependencies, batch, records, progress, interim);
    await ledger.amendBatch(batchId, [batch.status], { report });
  }
  if (isInterim || rowsThatAre(payoutStatusesThat('isUnfinished')) > 0) return goesOn;
  const problems = checkTallies(plan, progress);
  if (problems.length > 0) {
    log.warn('report.tallies_differ', { batchId, problems: problems.join(' ') });
    throw new InvariantBroken(`the payouts of batch ${batchId} do not add up to its file`);
  }
  const { report, haveChanged, hasMaybePaid } = await writeReports(dependencies, batch, records, progress);
  // The rows rule, not the records: something may be open, and what was reported does not add up.
  if (haveChanged) return goesOn;
  await releaseReservation(ledger, batch, settings);
  // Before its end is written: should this run die there, nobody would.
  tellWhatRests(dependencies, batch, progress);
  if (batch.status === 'canceled') {
    // What it had claimed was looked at once more: canceled it stays.
    await ledger.amendBatch(batchId, ['canceled'], { report, endedExecution });
  } else {
    // A cancellation that came too late ended nothing: a batch that ended otherwise does not end as canceled afterwards.
    const isCanceling = batch.cancelRequestedAt !== undefined && !isBatchEnd(batch.status);
    const end = endOfBatch(plan, progress, hasMaybePaid, isCanceling);
    const reason = end.to === 'partially_completed' ? reasonOfSkipped(plan) : undefined;
    const dueAt = reconcileAt(isoNow(clock), 0, settings);
    const why = { ...(reason === undefined ? {} : { reason }), ...(dueAt === undefined ? {} : { reconcileAt: dueAt }) };
    // Not again when the report is made anew.
    if (end.to === 'failed' && batch.status !== 'failed') log.alarm('BatchFailed', { batchId, reason: 'nothing_paid' });
    await ledger.moveBatch(batchId, end, 'system', { report, resumeTo: null, endedExecution, ...why }, reason?.code);
  }
  return { ...goesOn, next: 'ended' };
};

/** What a person should look at of a batch that has ended. */
const tellWhatRests = (
  { log, settings }: Pick<ReportBatchDependencies, 'log' | 'settings'>,
  batch: Batch,
  progress: Progress,
): void => {
  const { batchId } = batch;
  const [held, quarantined] = [countIn(progress.currencies, 'on_hold'), countIn(progress.currencies, 'quarantined')];
  if (held > 0) log.alarm('PayoutsHeld', { batchId, payouts: held });
  // Told again here: the run that quarantined it may have died before it rang.
  if (quarantined > 0) log.alarm('PayoutQuarantined', { batchId, payouts: quarantined });
  for (const { currency, charged, estimated, isBeyond } of compareFees(batch, progress, settings).map(feesInText))
    if (isBeyond) log.alarm('FeesBeyondEstimate', { batchId, currency, charged, estimated });
};

export const handler = asStep('ReportBatch', reportInput, log, (input) =>
  reportBatch({ ledger: ledger(), files: files(), settings: settings(), clock, ids, log }, input),
);
