import * as z from 'zod';
import { hasEndedBatch } from '../batches/end-execution.ts';
import { giveBackReservation } from '../batches/reservation.ts';
import type { Batch } from '../domain/batch/batch.ts';
import { batchTransitions, isBatchEnd } from '../domain/batch/batch-status.ts';
import type { Progress } from '../domain/batch/progress.ts';
import { countIn, isReportOutdated, sumProgress } from '../domain/batch/progress.ts';
import { reasonOfSkipped } from '../domain/batch/skipped-rows.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { given } from '../domain/given.ts';
import { compareFees } from '../domain/money/fees.ts';
import { inText } from '../domain/money/money-records.ts';
import type { PayoutStatus } from '../domain/payout/payout-status.ts';
import { payoutStatusesBeforeAnEnd, payoutStatusesThat } from '../domain/payout/payout-status.ts';
import { newReportDue, reconcileAt } from '../domain/payout/reconciliation.ts';
import { checkTallies, endOfBatch } from '../domain/report/report.ts';
import { isoNow } from '../ports/environment.ts';
import type { Needs } from '../ports/needs.ts';
import { executionNumber } from '../ports/workflow.ts';
import { bind, files, ledger, log, settings } from '../runtime.ts';
import { asStep, executionInput, getExistingBatch, planOf } from './as-step.ts';
import type { FollowPlace } from './follow.ts';
import type { WriteReportsDependencies } from './report/write-reports.ts';
import { writeReports } from './report/write-reports.ts';

type ReportBatchDependencies = WriteReportsDependencies &
  Needs<
    {
      ledger: 'getBatch' | 'moveBatch' | 'amendBatch' | 'listChunks' | 'readFunds' | 'reserve' | 'addReconciliation';
      settings: 'conversionSources' | 'reconcileAfterDays';
    },
    'log'
  >;

export const reportInput = executionInput.extend({
  /** True while payouts are open: the reports state that, and the batch goes on. */
  isInterim: z.boolean().default(false),
  /** Sweeps of this execution so far, for the return to Follow. */
  sweeps: z.int().min(0).default(0),
});

interface ReportBatchOutput extends FollowPlace {
  /** `follow`: the report is interim, payouts are open, or some changed while the reports were written. */
  readonly next: 'ended' | 'follow';
}

/**
 * Ends a batch. Its counts and sums must add up to the file. Then the reports are written, the reservation is given back, and
 * the batch moves to its final status. Interim reports, written while payouts are with the provider or wait for a person, also
 * show how many rows are open.
 *
 * @throws InvariantBroken when counts and sums do not add up
 */
export const reportBatch = async (
  dependencies: ReportBatchDependencies,
  { batchId, execution, isInterim, sweeps }: z.infer<typeof reportInput>,
): Promise<ReportBatchOutput> => {
  const { ledger, settings, clock, log } = dependencies;
  const endedExecution = executionNumber(batchId, execution);
  const batch = await getExistingBatch(ledger, batchId);
  const goesOn = { batchId, next: 'follow', round: 0, manifestKey: '', sweeps } as const;
  // A repetition of a run whose answer was lost: nobody hears of the end twice.
  if (hasEndedBatch(batch, endedExecution)) {
    await renewOutdatedReport(dependencies, batchId);
    return { ...goesOn, next: 'ended' };
  }
  const plan = planOf(batch);
  const readAt = clock();
  const records = await ledger.listChunks(batchId);
  const progress = sumProgress(records, readAt);
  /** Payouts of chunks that were never registered count too. */
  const rowsThatAre = (statuses: readonly PayoutStatus[]): number =>
    countIn(progress.currencies, ...statuses) + Math.max(0, plan.validRows - progress.payouts);
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
  // The rows decide, not the records: payouts may be open, and the reported sums may not add up.
  if (haveChanged) return goesOn;
  await giveBackReservation(dependencies, batch);
  // Before the end is recorded: if this run died in between, nobody would raise the alarms.
  raiseEndAlarms(dependencies, batch, progress);
  const wasCanceled = batch.status === 'canceled';
  // A cancellation that came too late canceled nothing: a batch that has ended otherwise keeps its end.
  const isCanceling = batch.cancelRequestedAt !== undefined && !isBatchEnd(batch.status);
  // Payouts claimed before a cancellation were looked at once more. The batch stays canceled.
  const end = wasCanceled ? batchTransitions.cancelAgain : endOfBatch(plan, progress, hasMaybePaid, isCanceling);
  const skipped = end.to === 'partially_completed' ? reasonOfSkipped(plan) : undefined;
  // No second alarm when a report is written again.
  if (end.to === 'failed' && batch.status !== 'failed') log.alarm('BatchFailed', { batchId, reason: 'nothing_paid' });
  const dueAt = reconcileAt(isoNow(clock), 0, settings);
  const why = given({ reason: wasCanceled ? batch.reason : skipped, reconcileAt: dueAt });
  const changes = { report, resumeTo: null, endedExecution, ...why };
  await ledger.moveBatch(batchId, end, 'system', changes, { detail: skipped?.code });
  await renewOutdatedReport(dependencies, batchId);
  return { ...goesOn, next: 'ended' };
};

/**
 * Makes a new report due if a webhook, or the check of a retry, has changed a payout since the report's rows were read. Later
 * changes find the batch ended, and do that themselves.
 */
const renewOutdatedReport = async (
  { ledger, settings, clock }: Pick<ReportBatchDependencies, 'ledger' | 'settings' | 'clock'>,
  batchId: string,
): Promise<void> => {
  const batch = await getExistingBatch(ledger, batchId);
  // Another execution goes on with it, or a person.
  if (!isBatchEnd(batch.status)) return;
  if (isReportOutdated(batch, sumProgress(await ledger.listChunks(batchId), 0)))
    await ledger.addReconciliation(newReportDue(batch, clock(), settings));
};

/** Raises the alarms about payouts of an ended batch that a person should look at. */
const raiseEndAlarms = (
  { log, settings }: Pick<ReportBatchDependencies, 'log' | 'settings'>,
  batch: Batch,
  progress: Progress,
): void => {
  const { batchId } = batch;
  const [held, quarantined] = [countIn(progress.currencies, 'on_hold'), countIn(progress.currencies, 'quarantined')];
  if (held > 0) log.alarm('PayoutsHeld', { batchId, payouts: held });
  // Repeated here: the run that quarantined it may have died before it raised the alarm.
  if (quarantined > 0) log.alarm('PayoutQuarantined', { batchId, payouts: quarantined });
  for (const { currency, charged, estimated, isBeyond } of compareFees(batch, progress, settings).map(inText))
    if (isBeyond) log.alarm('FeesBeyondEstimate', { batchId, currency, charged, estimated });
};

export const handler = asStep('ReportBatch', reportInput, log, bind(reportBatch, { ledger, files, settings }));
