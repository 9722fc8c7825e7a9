import { Readable } from 'node:stream';
import type { Batch, ReportSummary } from '../domain/batch.ts';
import type { ChunkFile, ChunkRecord, PlannedPayout } from '../domain/chunk.ts';
import { csvSink } from '../domain/csv-report.ts';
import { InvariantBroken } from '../domain/errors.ts';
import { inOrder } from '../domain/in-parallel.ts';
import type { Payout } from '../domain/payout.ts';
import type { Progress } from '../domain/progress.ts';
import { isRetryable, resultColumns, resultRow, retryColumns, retryRow, totalsByStatus } from '../domain/report.ts';
import { isoNow } from '../ports/environment.ts';
import type { Needs } from './step.ts';
import { planOf } from './step.ts';

export type WriteReportsDependencies = Needs<
  { ledger: 'readChunk' | 'recount' | 'listConversions'; files: 'getChunk' | 'putReport'; ids: 'sortable' },
  'clock'
>;

/** Chunks of one currency read ahead of the one being written. */
const chunksAhead = 4;

/** A payout, and what was planned of it when it can be retried. */
interface PayoutResult {
  readonly payout: Payout;
  readonly planned?: PlannedPayout;
}

/**
 * Writes results.csv (every payout), retry.csv (what failed, ready to upload again; only when there is any) and
 * evidence.json (what the batch was made from and every proof's hash), streamed in one pass, in the order of
 * the file. Each run writes files of its own: one that was given up may still be writing when another has reported, and its
 * retry.csv may have rows that the provider contradicted in between. Adds up each chunk that it reads, since somebody may have moved
 * a payout and died before the record told of it. Answers whether a record has changed since `records` were read.
 */
export const writeReports = async (
  dependencies: WriteReportsDependencies,
  batch: Batch,
  records: readonly ChunkRecord[],
  progress: Progress,
  interim?: ReportSummary['interim'],
): Promise<{ readonly report: ReportSummary; readonly haveChanged: boolean }> => {
  const { files, ledger, clock, ids } = dependencies;
  const { batchId } = batch;
  const { prefix, rows, validRows } = planOf(batch);
  const runId = ids.sortable().toLowerCase();
  const results = csvSink(resultColumns, (csv) => files.putReport(batchId, runId, 'results.csv', csv));
  const retry = csvSink(retryColumns, (csv) => files.putReport(batchId, runId, 'retry.csv', csv));
  const proofs: string[] = [];
  let haveChanged = false;
  const read = async (listed: ChunkRecord): Promise<readonly PayoutResult[]> => {
    const { record, results } = await readResults(dependencies, prefix, listed);
    haveChanged ||= record.version !== listed.version;
    return results;
  };
  for await (const { payout, planned } of inFileOrder(records, read)) {
    await results.write(resultRow(payout));
    if (planned !== undefined) await retry.write(retryRow(planned, payout.currency));
    if (payout.proof !== undefined) {
      const { row, reference, disbursementId, proof } = payout;
      proofs.push(JSON.stringify({ row, reference, disbursementId, ...proof }));
    }
  }
  const resultsKey = await results.finish();
  const retryKey = await retry.finish();
  if (resultsKey === undefined) throw new InvariantBroken(`batch ${batchId} has no payouts to report`);
  const head = {
    batchId,
    ...(interim === undefined ? {} : { interim: true, openRows: interim.openRows }),
    file: batch.file,
    planPrefix: prefix,
    rows,
    validRows,
    totals: totalsByStatus(progress),
    conversions: await ledger.listConversions(batchId),
  };
  const evidenceKey = await files.putReport(batchId, runId, 'evidence.json', Readable.from(evidence(head, proofs)));
  const report = {
    resultsKey,
    ...(retryKey === undefined ? {} : { retryKey }),
    evidenceKey,
    reportedAt: isoNow(clock),
    ...(interim === undefined ? {} : { interim }),
    chunkVersions: progress.chunkVersions,
  };
  return { report, haveChanged };
};

function* evidence(head: object, proofs: readonly string[]): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "proofs": [`;
  for (const [index, proof] of proofs.entries()) yield `${index === 0 ? '' : ','}\n    ${proof}`;
  yield '\n  ]\n}\n';
}

/**
 * Every payout in the order of the file. The chunks of one currency follow each other in it, so there is one sequence a
 * currency, each in order, and the one whose next row is the lowest goes on.
 */
async function* inFileOrder(
  records: readonly ChunkRecord[],
  read: (record: ChunkRecord) => Promise<readonly PayoutResult[]>,
): AsyncGenerator<PayoutResult> {
  const waiting: { readonly result: PayoutResult; readonly rest: AsyncGenerator<PayoutResult> }[] = [];
  const goOn = async (rest: AsyncGenerator<PayoutResult>): Promise<void> => {
    const next = await rest.next();
    if (next.done !== true) waiting.push({ result: next.value, rest });
  };
  const byCurrency = Map.groupBy(records, ({ currency }) => currency);
  await Promise.all([...byCurrency.values()].map((chunks) => goOn(readAhead(chunks, read))));
  for (;;) {
    waiting.sort((one, other) => other.result.payout.row - one.result.payout.row);
    const lowest = waiting.pop();
    if (lowest === undefined) return;
    yield lowest.result;
    await goOn(lowest.rest);
  }
}

/** The results of chunks in order, some read ahead of the one whose results are taken. */
async function* readAhead(
  chunks: readonly ChunkRecord[],
  read: (record: ChunkRecord) => Promise<readonly PayoutResult[]>,
): AsyncGenerator<PayoutResult> {
  for await (const results of inOrder(chunks, chunksAhead, read)) yield* results;
}

const readResults = async (
  { ledger, files }: WriteReportsDependencies,
  prefix: string,
  { batchId, chunk }: ChunkRecord,
): Promise<{ readonly record: ChunkRecord; readonly results: readonly PayoutResult[] }> => {
  const contents = await ledger.readChunk(batchId, chunk);
  if (contents === undefined) throw new InvariantBroken(`chunk ${chunk} of batch ${batchId} is not in the ledger`);
  const { payouts } = contents;
  const record = await ledger.recount(contents);
  const file = payouts.some(isRetryable) ? await files.getChunk(prefix, chunk) : undefined;
  const results = payouts.map((payout) =>
    isRetryable(payout) ? { payout, planned: plannedOf(file, payout) } : { payout },
  );
  return { record, results };
};

const plannedOf = (file: ChunkFile | undefined, { row }: Payout): PlannedPayout => {
  const planned = file?.payouts.find((payout) => payout.row === row);
  if (planned === undefined) throw new InvariantBroken(`row ${row} is not in its chunk file`);
  return planned;
};
