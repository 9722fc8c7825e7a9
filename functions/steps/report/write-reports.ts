import { Readable } from 'node:stream';
import type { Batch, ReportSummary } from '../../domain/batch/batch.ts';
import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import { countSkipped, readSkippedRows } from '../../domain/batch/skipped-rows.ts';
import { InvariantBroken, unlessAltered } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import { inOrder } from '../../domain/in-parallel.ts';
import { compareFees } from '../../domain/money/fees.ts';
import { conversionInText, inText } from '../../domain/money/money-records.ts';
import { RowStatuses } from '../../domain/pain-002/row-statuses.ts';
import type { ReportedStatus } from '../../domain/pain-002/status-codes.ts';
import { statusOfPayout, statusOfSkipped } from '../../domain/pain-002/status-codes.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isLeftOut, isRetryable, mayBePaid } from '../../domain/payout/retries.ts';
import { csvSink } from '../../domain/report/csv-report.ts';
import {
  resultColumns,
  resultRow,
  retryColumns,
  retryRow,
  skippedResultRow,
  totalsByStatus,
} from '../../domain/report/report.ts';
import { isoNow } from '../../ports/environment.ts';
import type { RetryName } from '../../ports/files.ts';
import type { Needs } from '../../ports/needs.ts';
import { planOf } from '../as-step.ts';
import { countPaidRetries } from './count-paid-retries.ts';
import { statusReport } from './write-status-report.ts';

export type WriteReportsDependencies = Needs<
  {
    ledger: 'readChunk' | 'recount' | 'listConversions' | 'findReferences';
    files: 'getChunk' | 'readList' | 'putReport';
    ids: 'sortable';
    settings: 'feeTolerancePercent';
  },
  'clock' | 'log'
>;

/** Chunks of one currency read ahead of the one being written. */
const chunksAhead = 4;

/** A line of results.csv, for a payout or a skipped row. */
interface Result {
  readonly row: number;
  readonly line: readonly string[];
  readonly status: ReportedStatus;
  readonly payout?: Payout;
  /** Its line of the retry file, if it can be tried again. */
  readonly retryLine?: readonly string[];
}

/**
 * Writes the reports, streamed in one pass in the order of the file:
 *
 * - results.csv: every payout, and every skipped row
 * - retry.csv or .xlsx: failed and rejected payouts that may be tried again, ready to upload; only when there are any
 * - evidence.json: what the batch was made from, and every proof's hash
 * - pain-002.xml: when the file is a pain.001
 *
 * Each run writes files of its own: an abandoned run may still be writing after another has reported. Its retry file may
 * contain rows that the provider has contradicted since. Updates the counts of each chunk it reads, because a run may have
 * moved a payout and died before updating them.
 *
 * @returns haveChanged: true when a record has changed since `records` were read; hasMaybePaid: true when a payout may have
 *   been paid
 */
export const writeReports = async (
  dependencies: WriteReportsDependencies,
  batch: Batch,
  records: readonly ChunkRecord[],
  progress: Progress,
  interim?: ReportSummary['interim'],
): Promise<{ readonly report: ReportSummary; readonly haveChanged: boolean; readonly hasMaybePaid: boolean }> => {
  const { files, ledger, clock, ids, log } = dependencies;
  const { batchId } = batch;
  const plan = planOf(batch);
  const { rows, errorsFile, extraColumns = [] } = plan;
  const skippedRows = countSkipped(plan);
  const runId = ids.sortable().toLowerCase();
  const results = csvSink(resultColumns(extraColumns), (csv) => files.putReport(batchId, runId, 'results.csv', csv));
  const retry = await retrySink(plan, (name, content) => files.putReport(batchId, runId, name, content));
  const statuses = plan.initiation === undefined ? undefined : new RowStatuses(rows);
  /** Lines of evidence.json. */
  const proofs: string[] = [];
  const alteredChunks: number[] = [];
  let haveChanged = false;
  let hasMaybePaid = false;
  let leftOut = 0;
  const read = async (listed: ChunkRecord): Promise<readonly Result[]> => {
    const { record, results, isAltered } = await readResults(dependencies, plan, listed);
    haveChanged ||= record.version !== listed.version;
    if (isAltered) alteredChunks.push(listed.chunk);
    return results;
  };
  // The chunks of one currency are in the order of the file.
  const sequences = [...Map.groupBy(records, ({ currency }) => currency).values()].map(async function* (chunks) {
    for await (const found of inOrder(chunks, chunksAhead, read)) yield* found;
  });
  if (skippedRows > 0 && errorsFile !== undefined)
    sequences.push(readSkipped(files.readList(errorsFile), extraColumns));
  let skippedLines = 0;
  const paidRetries = countPaidRetries(ledger, plan);
  for await (const { row, line, status, payout, retryLine } of inFileOrder(sequences)) {
    await results.write(line);
    statuses?.set(row, status);
    if (payout === undefined) {
      skippedLines++;
      continue;
    }
    hasMaybePaid ||= mayBePaid(payout);
    if (isLeftOut(payout)) leftOut++;
    if (retryLine !== undefined) await retry.write(retryLine);
    await paidRetries.see(payout);
    const { reference, disbursementId, proof } = payout;
    if (proof !== undefined) proofs.push(JSON.stringify({ row, reference, disbursementId, ...proof }));
  }
  const resultsKey = await results.finish();
  const retryKey = await retry.finish();
  if (resultsKey === undefined) throw new InvariantBroken(`batch ${batchId} has no payouts to report`);
  if (skippedLines !== skippedRows)
    throw new InvariantBroken(`errors.csv of batch ${batchId} names ${skippedLines} of ${skippedRows} skipped rows`);
  const head = await evidenceHead(dependencies, batch, progress, alteredChunks, interim);
  const evidenceKey = await files.putReport(batchId, runId, 'evidence.json', Readable.from(evidence(head, proofs)));
  const xml = plan.initiation && statuses && statusReport(dependencies, runId, plan.initiation, { statuses });
  const statusReportKey = xml && (await files.putReport(batchId, runId, 'pain-002.xml', xml));
  const report = {
    resultsKey,
    evidenceKey,
    ...given({ retryKey, statusReportKey, interim, leftOut: leftOut || undefined }),
    ...(await paidRetries.finish()),
    reportedAt: isoNow(clock),
    // 0 marks the report as outdated: once the files are restored, resuming the batch completes it.
    chunkVersions: alteredChunks.length === 0 ? progress.chunkVersions : 0,
  };
  for (const chunk of alteredChunks) log.alarm('BatchHalted', { batchId, chunk, reason: 'file_altered' });
  return { report, haveChanged, hasMaybePaid };
};

/**
 * Writes the payouts to try again as a CSV file. The author of a workbook gets a workbook, because a spreadsheet strips leading
 * zeros from a CSV's account numbers.
 */
const retrySink = async (
  { isWorkbook, extraColumns = [] }: PlanSummary,
  put: (name: RetryName, content: Readable) => Promise<string>,
) => {
  const columns = retryColumns(extraColumns);
  if (isWorkbook !== true) return csvSink(columns, (content) => put('retry.csv', content));
  // Loaded on demand, because the workbook code takes milliseconds to load.
  const { workbookSink } = await import('../../domain/report/workbook-report.ts');
  return workbookSink(columns, (content) => put('retry.xlsx', content));
};

/** What the batch was made from, and what became of it: evidence.json without the proofs. */
const evidenceHead = async (
  { ledger, settings }: WriteReportsDependencies,
  batch: Batch,
  progress: Progress,
  alteredChunks: readonly number[],
  interim?: ReportSummary['interim'],
) => {
  const { batchId, file } = batch;
  const plan = planOf(batch);
  return {
    batchId,
    ...(interim === undefined ? {} : { interim: true, openRows: interim.openRows }),
    file,
    planPrefix: plan.prefix,
    rows: plan.rows,
    validRows: plan.validRows,
    skippedRows: countSkipped(plan),
    // Their rows have no names in results.csv, and are missing in the retry file.
    ...(alteredChunks.length === 0 ? {} : { alteredChunks: alteredChunks.toSorted((one, other) => one - other) }),
    totals: totalsByStatus(progress),
    fees: compareFees(batch, progress, settings).map(inText),
    conversions: (await ledger.listConversions(batchId)).map(conversionInText),
  };
};

function* evidence(head: object, proofs: readonly string[]): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "proofs": [`;
  for (const [index, proof] of proofs.entries()) yield `${index === 0 ? '' : ','}\n    ${proof}`;
  yield '\n  ]\n}\n';
}

/** Yields every row in the order of the file. Each sequence is sorted, and the one with the lowest next row goes first. */
async function* inFileOrder(sequences: readonly AsyncGenerator<Result>[]): AsyncGenerator<Result> {
  const waiting: { readonly result: Result; readonly rest: AsyncGenerator<Result> }[] = [];
  const goOn = async (rest: AsyncGenerator<Result>): Promise<void> => {
    const next = await rest.next();
    if (next.done !== true) waiting.push({ result: next.value, rest });
  };
  await Promise.all(sequences.map(goOn));
  for (;;) {
    waiting.sort((one, other) => other.result.row - one.result.row);
    const lowest = waiting.pop();
    if (lowest === undefined) return;
    yield lowest.result;
    await goOn(lowest.rest);
  }
}

async function* readSkipped(
  errors: AsyncIterable<Uint8Array>,
  extraColumns: readonly string[],
): AsyncGenerator<Result> {
  for await (const skipped of readSkippedRows(errors))
    yield { row: skipped.row, line: skippedResultRow(skipped, extraColumns), status: statusOfSkipped(skipped) };
}

/** `isAltered`: the chunk's file differs from what the plan wrote. Its recipients are then neither shown nor retried. */
const readResults = async (
  { ledger, files }: WriteReportsDependencies,
  plan: PlanSummary,
  { batchId, chunk }: ChunkRecord,
) => {
  const [contents, file] = await Promise.all([
    ledger.readChunk(batchId, chunk),
    files.getChunk(plan, chunk).catch(unlessAltered),
  ]);
  if (contents === undefined) throw new InvariantBroken(`chunk ${chunk} of batch ${batchId} is not in the ledger`);
  const { record, payouts } = await ledger.recount(contents);
  const plannedByRow = new Map(file?.payouts.map((planned) => [planned.row, planned]));
  const results = payouts.map((payout): Result => {
    const { row } = payout;
    const planned = plannedByRow.get(row);
    if (file !== undefined && planned === undefined) throw new InvariantBroken(`row ${row} is not in its chunk file`);
    const line = resultRow(payout, planned, plan.extraColumns ?? []);
    const result = { row, line, status: statusOfPayout(payout), payout };
    if (planned === undefined || !isRetryable(payout)) return result;
    return { ...result, retryLine: retryRow(planned, payout, plan.extraColumns ?? []) };
  });
  return { record, results, isAltered: file === undefined };
};
