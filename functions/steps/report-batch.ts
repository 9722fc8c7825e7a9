import type { Batch, PlanSummary, ReportSummary } from '../domain/batch.ts';
import { isBatchEnd } from '../domain/batch-lifecycle.ts';
import type { ChunkRecord } from '../domain/chunk.ts';
import { endExecution } from '../domain/end-execution.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { PayoutStatus } from '../domain/payout.ts';
import { checkTallies, endOfBatch, sumOfVersions } from '../domain/report.ts';
import type { OrchestratorSettings } from '../domain/settings.ts';
import type { BatchLedger } from '../ports/batch-ledger.ts';
import type { Clock, Ids, Log } from '../ports/environment.ts';
import { isoNow } from '../ports/environment.ts';
import type { Files } from '../ports/files.ts';
import type { FundsLedger } from '../ports/funds-ledger.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { executionNumber } from '../ports/workflow.ts';
import { clock, files, ids, ledger, log, settings } from '../runtime.ts';
import { getExistingBatch, planOf } from './planned-batch.ts';
import { releaseReservation } from './reservation.ts';
import type { ExecutionInput } from './step.ts';
import { asStep, executionInput } from './step.ts';
import { writeReports } from './write-reports.ts';

export interface ReportBatchDependencies {
  readonly ledger: Pick<BatchLedger, 'getBatch' | 'moveBatch' | 'amendBatch'> &
    Pick<PayoutLedger, 'listChunks' | 'readChunk'> &
    Pick<FundsLedger, 'readFunds' | 'reserve' | 'listConversions'>;
  readonly files: Pick<Files, 'getChunk' | 'putReport'>;
  readonly settings: Pick<OrchestratorSettings, 'conversionSources'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'sortable'>;
  readonly log: Log;
}

export interface ReportBatchOutput {
  readonly batchId: string;
  readonly next: 'ended' | 'attention';
}

/** Statuses that neither ended nor rest where a person must act: their chunk's workflow stopped too early. */
const unfinished: readonly PayoutStatus[] = ['ready', 'submitting', 'unknown', 'pending'];

/**
 * Ends a batch: its counts and sums must add up to the file, then the reports are written, the reservation is given
 * back, and the batch moves to its final status. A batch with chunks that stopped too early is paused instead.
 */
export const reportBatch = async (
  dependencies: ReportBatchDependencies,
  { batchId, execution }: ExecutionInput,
): Promise<ReportBatchOutput> => {
  const { ledger, settings, clock, log } = dependencies;
  const endedExecution = executionNumber(batchId, execution);
  const batch = await getExistingBatch(ledger, batchId);
  const plan = planOf(batch);
  const records = await ledger.listChunks(batchId);
  const open = countUnfinished(plan, records);
  if (open > 0) return leaveUnfinished(dependencies, batch, endedExecution, open);
  const problems = checkTallies(plan, records);
  if (problems.length > 0) {
    log.warn('report.tallies_differ', { batchId, problems: problems.map(({ code }) => code).join(' ') });
    throw new InvariantBroken(`the payouts of batch ${batchId} do not add up to its file`);
  }
  const written = await writeReports(dependencies, batch, plan, records);
  const report: ReportSummary = { ...written, reportedAt: isoNow(clock), chunkVersions: sumOfVersions(records) };
  await releaseReservation(ledger, batch, settings);
  if (batch.status === 'canceled') {
    // What it had claimed was looked at once more: canceled it stays.
    await ledger.amendBatch(batchId, ['canceled'], { report, endedExecution });
    return { batchId, next: 'ended' };
  }
  // A cancelation that came too late ended nothing: a batch that ended otherwise does not end as canceled afterwards.
  const end = endOfBatch(records, batch.cancelRequestedAt !== undefined && !isBatchEnd(batch.status));
  await ledger.moveBatch(batchId, end, 'system', { report, reason: null, resumeTo: null, endedExecution });
  return { batchId, next: 'ended' };
};

/** Payouts of chunks that were never registered count as well. */
const countUnfinished = (plan: PlanSummary, records: readonly ChunkRecord[]): number => {
  const registered = records
    .flatMap(({ tallies }) => Object.values(tallies))
    .reduce((sum, { count }) => sum + count, 0);
  const begun = records.reduce(
    (sum, { tallies }) => sum + unfinished.reduce((open, status) => open + (tallies[status]?.count ?? 0), 0),
    0,
  );
  return begun + Math.max(0, plan.validRows - registered);
};

const leaveUnfinished = async (
  { ledger }: ReportBatchDependencies,
  batch: Batch,
  execution: number,
  open: number,
): Promise<ReportBatchOutput> => {
  const { batchId } = batch;
  await endExecution(ledger, batch, execution, {
    code: 'chunks_unfinished',
    message: `${open} payouts have not ended although their chunks stopped. Resume to go on from the ledger.`,
  });
  return { batchId, next: 'attention' };
};

export const handler = asStep('ReportBatch', executionInput, log, (input) =>
  reportBatch({ ledger: ledger(), files: files(), settings: settings(), clock, ids, log }, input),
);
