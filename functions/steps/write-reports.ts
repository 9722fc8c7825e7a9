import { Readable } from 'node:stream';
import type { Batch, PlanSummary, ReportSummary } from '../domain/batch.ts';
import type { ChunkFile, ChunkRecord } from '../domain/chunk.ts';
import { csvSink } from '../domain/csv-report.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { Files } from '../domain/files-port.ts';
import type { FundsLedger, PayoutLedger } from '../domain/ledger-port.ts';
import type { Payout } from '../domain/payout.ts';
import { isRetryable, resultColumns, resultRow, retryColumns, retryRow, totalsByStatus } from '../domain/report.ts';

export interface WriteReportsDependencies {
  readonly ledger: Pick<PayoutLedger, 'readChunk'> & Pick<FundsLedger, 'listConversions'>;
  readonly files: Pick<Files, 'getChunk' | 'putReport'>;
}

/** Chunks read ahead of the one being written. */
const chunksAhead = 8;

interface ChunkResults {
  readonly payouts: readonly Payout[];
  /** Present when a payout of the chunk can be retried. */
  readonly file?: ChunkFile;
}

/**
 * Writes results.csv (every payout), retry.csv (what failed, ready to upload again; only when there is any) and
 * evidence.json (what the batch was made from and every proof's hash), streamed in one pass over the chunks.
 */
export const writeReports = async (
  dependencies: WriteReportsDependencies,
  batch: Batch,
  plan: PlanSummary,
  records: readonly ChunkRecord[],
): Promise<Omit<ReportSummary, 'reportedAt'>> => {
  const { files, ledger } = dependencies;
  const { batchId } = batch;
  const results = csvSink(resultColumns, (csv) => files.putReport(batchId, 'results.csv', csv));
  const retry = csvSink(retryColumns, (csv) => files.putReport(batchId, 'retry.csv', csv));
  const proofs: string[] = [];
  for await (const { payouts, file } of readAhead(dependencies, batchId, plan)) {
    for (const payout of payouts) {
      await results.write(resultRow(payout));
      if (file !== undefined && isRetryable(payout))
        await retry.write(retryRow(plannedOf(file, payout), payout.currency));
      if (payout.proof !== undefined) {
        const { row, reference, disbursementId, proof } = payout;
        proofs.push(JSON.stringify({ row, reference, disbursementId, ...proof }));
      }
    }
  }
  const resultsKey = await results.finish();
  const retryKey = await retry.finish();
  if (resultsKey === undefined) throw new InvariantBroken(`batch ${batchId} has no payouts to report`);
  const head = {
    batchId,
    file: batch.file,
    planPrefix: plan.prefix,
    rows: plan.rows,
    validRows: plan.validRows,
    totals: totalsByStatus(records),
    conversions: await ledger.listConversions(batchId),
  };
  const evidenceKey = await files.putReport(batchId, 'evidence.json', Readable.from(evidence(head, proofs)));
  return { resultsKey, evidenceKey, ...(retryKey === undefined ? {} : { retryKey }) };
};

function* evidence(head: object, proofs: readonly string[]): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "proofs": [`;
  for (const [index, proof] of proofs.entries()) yield `${index === 0 ? '' : ','}\n    ${proof}`;
  yield '\n  ]\n}\n';
}

async function* readAhead(
  dependencies: WriteReportsDependencies,
  batchId: string,
  plan: PlanSummary,
): AsyncGenerator<ChunkResults> {
  const reading: Promise<ChunkResults>[] = [];
  for (let chunk = 1; chunk <= plan.chunks + chunksAhead; chunk += 1) {
    if (chunk <= plan.chunks) {
      const results = readResults(dependencies, batchId, plan.prefix, chunk);
      // It is awaited in its turn; until then a failure must not count as unhandled.
      results.catch(() => undefined);
      reading.push(results);
    }
    if (reading.length >= chunksAhead || chunk >= plan.chunks) {
      const next = reading.shift();
      if (next !== undefined) yield await next;
    }
  }
}

const readResults = async (
  { ledger, files }: WriteReportsDependencies,
  batchId: string,
  prefix: string,
  chunk: number,
): Promise<ChunkResults> => {
  const { payouts } = await ledger.readChunk(batchId, chunk);
  return payouts.some(isRetryable) ? { payouts, file: await files.getChunk(prefix, chunk) } : { payouts };
};

const plannedOf = (file: ChunkFile, { row }: Payout) => {
  const planned = file.payouts.find((payout) => payout.row === row);
  if (planned === undefined) throw new InvariantBroken(`row ${row} is not in its chunk file`);
  return planned;
};
