import { Readable } from 'node:stream';
import type { Batch, ReportSummary } from '../../domain/batch/batch.ts';
import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import type { Progress } from '../../domain/batch/progress.ts';
import type { SkippedRow } from '../../domain/batch/skipped-rows.ts';
import { countSkipped, readSkippedRows } from '../../domain/batch/skipped-rows.ts';
import { InvariantBroken, unlessAltered } from '../../domain/errors.ts';
import { inOrder } from '../../domain/in-parallel.ts';
import { compareFees } from '../../domain/money/fees.ts';
import { conversionInText, feesInText } from '../../domain/money/money-records.ts';
import { RowStatuses } from '../../domain/pain-002/row-statuses.ts';
import { statusOfPayout, statusOfSkipped } from '../../domain/pain-002/status-codes.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isRetryable, mayBePaid } from '../../domain/payout/retries.ts';
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
import type { Needs } from '../step.ts';
import { planOf } from '../step.ts';
import { countPaidRetries } from './count-paid-retries.ts';
import { writeStatusReport } from './write-status-report.ts';

export type WriteReportsDependencies = Needs<
  {
    ledger: 'readChunk' | 'recount' | 'listConversions' | 'findReferences';
    files: 'getChunk' | 'readErrors' | 'readInstructions' | 'putReport';
    ids: 'sortable';
    settings: 'feeTolerancePercent';
  },
  'clock' | 'log'
>;

/** Chunks of one currency read ahead of the one being written. */
const chunksAhead = 4;

/** A line of results.csv: of a payout, or of a skipped row. */
interface Result {
  readonly row: number;
  readonly line: readonly string[];
  readonly payout?: Payout;
  readonly skipped?: SkippedRow;
  /** Its line of the retry file, where it can be tried again. */
  readonly retryLine?: readonly string[];
}

/**
 * Writes results.csv (every payout, and every skipped row), retry.csv or .xlsx (what failed, ready to upload again; only when there
 * is any), evidence.json (what the batch was made from and every proof's hash) and, where the file is a pain.001, pain-002.xml,
 * streamed in one pass, in the order of the file. Each run writes files of its own: one that was given up may still be writing when
 * another has reported, and its retry file may have rows that the provider contradicted in between. Adds up each chunk that it reads, since somebody may have moved
 * a payout and died before the record told of it. Answers whether a record has changed since `records` were read, and
 * whether a payout may have been paid.
 */
export const writeReports = async (
  dependencies: WriteReportsDependencies,
  batch: Batch,
  records: readonly ChunkRecord[],
  progress: Progress,
  interim?: ReportSummary['interim'],
): Promise<{ readonly report: ReportSummary; readonly haveChanged: boolean; readonly hasMaybePaid: boolean }> => {
  const { files, ledger, clock, ids, settings, log } = dependencies;
  const { batchId } = batch;
  const plan = planOf(batch);
  const { rows, validRows, errorsFile, extraColumns = [] } = plan;
  const skippedRows = countSkipped(plan);
  const runId = ids.sortable().toLowerCase();
  const results = csvSink(resultColumns(extraColumns), (csv) => files.putReport(batchId, runId, 'results.csv', csv));
  const retry = await retrySink(plan, (name, content) => files.putReport(batchId, runId, name, content));
  const statuses = plan.initiation === undefined ? undefined : new RowStatuses(rows);
  const proofs: string[] = [];
  const alteredChunks: number[] = [];
  let haveChanged = false;
  let hasMaybePaid = false;
  const read = async (listed: ChunkRecord): Promise<readonly Result[]> => {
    const { record, results, isAltered } = await readResults(dependencies, plan, listed);
    haveChanged ||= record.version !== listed.version;
    if (isAltered) alteredChunks.push(listed.chunk);
    return results;
  };
  // The chunks of one currency follow each other in the file.
  const sequences = [...Map.groupBy(records, ({ currency }) => currency).values()].map((chunks) =>
    readAhead(chunks, read),
  );
  if (skippedRows > 0 && errorsFile !== undefined)
    sequences.push(readSkipped(files.readErrors(errorsFile), extraColumns));
  let skippedLines = 0;
  const paidRetries = countPaidRetries(ledger, plan);
  for await (const { row, line, payout, retryLine, skipped } of inFileOrder(sequences)) {
    await results.write(line);
    if (payout === undefined) {
      if (skipped !== undefined) statuses?.set(row, statusOfSkipped(skipped));
      skippedLines++;
      continue;
    }
    statuses?.set(row, statusOfPayout(payout));
    hasMaybePaid ||= mayBePaid(payout);
    if (retryLine !== undefined) await retry.write(retryLine);
    await paidRetries.see(payout);
    proofs.push(...evidenceOf(payout));
  }
  const resultsKey = await results.finish();
  const retryKey = await retry.finish();
  if (resultsKey === undefined) throw new InvariantBroken(`batch ${batchId} has no payouts to report`);
  if (skippedLines !== skippedRows)
    throw new InvariantBroken(`errors.csv of batch ${batchId} names ${skippedLines} of ${skippedRows} skipped rows`);
  const head = {
    batchId,
    ...(interim === undefined ? {} : { interim: true, openRows: interim.openRows }),
    file: batch.file,
    planPrefix: plan.prefix,
    rows,
    validRows,
    skippedRows,
    ...toldOfAltered(alteredChunks),
    totals: totalsByStatus(progress),
    fees: compareFees(batch, progress, settings).map(feesInText),
    conversions: (await ledger.listConversions(batchId)).map(conversionInText),
  };
  const evidenceKey = await files.putReport(batchId, runId, 'evidence.json', Readable.from(evidence(head, proofs)));
  const statusReportKey =
    statuses === undefined ? undefined : await writeStatusReport(dependencies, batchId, runId, plan, statuses);
  const report = {
    resultsKey,
    ...(retryKey === undefined ? {} : { retryKey }),
    ...(await paidRetries.finish()),
    evidenceKey,
    ...(statusReportKey === undefined ? {} : { statusReportKey }),
    reportedAt: isoNow(clock),
    ...(interim === undefined ? {} : { interim }),
    // Out of date from the first: once the files are as they were, resuming the batch makes it whole.
    chunkVersions: alteredChunks.length === 0 ? progress.chunkVersions : 0,
  };
  for (const chunk of alteredChunks) log.alarm('BatchHalted', { batchId, chunk, reason: 'file_altered' });
  return { report, haveChanged, hasMaybePaid };
};

/** What failed, as the payout file came: who uploaded a workbook gets one back, since a spreadsheet takes zeros off a CSV's accounts. */
const retrySink = async (
  { isWorkbook, extraColumns = [] }: PlanSummary,
  put: (name: RetryName, content: Readable) => Promise<string>,
) => {
  const columns = retryColumns(extraColumns);
  if (isWorkbook !== true) return csvSink(columns, (content) => put('retry.csv', content));
  // Loaded when it is needed: what packs a workbook takes milliseconds to load.
  const { workbookSink } = await import('../../domain/report/workbook-report.ts');
  return workbookSink(columns, (content) => put('retry.xlsx', content));
};

/** Of these chunks results.csv has no names, and the retry file no rows. */
const toldOfAltered = (chunks: readonly number[]): { readonly alteredChunks?: readonly number[] } =>
  chunks.length === 0 ? {} : { alteredChunks: chunks.toSorted((one, other) => one - other) };

/** A line of evidence.json, of a payout with a proof. */
const evidenceOf = ({ row, reference, disbursementId, proof }: Payout): readonly string[] =>
  proof === undefined ? [] : [JSON.stringify({ row, reference, disbursementId, ...proof })];

function* evidence(head: object, proofs: readonly string[]): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "proofs": [`;
  for (const [index, proof] of proofs.entries()) yield `${index === 0 ? '' : ','}\n    ${proof}`;
  yield '\n  ]\n}\n';
}

/** Every row in the order of the file. Each sequence is in order, and the one whose next row is the lowest goes on. */
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
    yield { row: skipped.row, line: skippedResultRow(skipped, extraColumns), skipped };
}

/** The results of chunks in order, some read ahead of the one whose results are taken. */
async function* readAhead(
  chunks: readonly ChunkRecord[],
  read: (record: ChunkRecord) => Promise<readonly Result[]>,
): AsyncGenerator<Result> {
  for await (const results of inOrder(chunks, chunksAhead, read)) yield* results;
}

interface ReadChunk {
  readonly record: ChunkRecord;
  readonly results: readonly Result[];
  /** Its file is not as the plan wrote it: what it says of recipients is told to nobody, and retried by nobody. */
  readonly isAltered: boolean;
}

const readResults = async (
  { ledger, files }: WriteReportsDependencies,
  plan: PlanSummary,
  { batchId, chunk }: ChunkRecord,
): Promise<ReadChunk> => {
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
    if (planned === undefined || !isRetryable(payout)) return { row, line, payout };
    return { row, line, payout, retryLine: retryRow(planned, payout, plan.extraColumns ?? []) };
  });
  return { record, results, isAltered: file === undefined };
};
