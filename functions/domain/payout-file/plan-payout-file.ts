import type { Readable } from 'node:stream';
import type { PaymentMethod } from '../../ports/provider.ts';
import type { InvalidRows } from '../batch/batch.ts';
import type { ChunkFile } from '../batch/chunk-file.ts';
import type { RowError } from '../batch/plan.ts';
import type { RowSummary } from '../batch/skipped-rows.ts';
import { given } from '../given.ts';
import { inOrder, inParallel } from '../in-parallel.ts';
import type { OrchestratorSettings } from '../settings.ts';
import { emptySummary, rowCheck } from './check-row.ts';
import { FileRefused, refuseFile } from './fields.ts';
import { FirstRows } from './first-rows.ts';
import type { Outcome, TakenReferences } from './mark-taken.ts';
import { markHeld, markRetries, withDuplicate } from './mark-taken.ts';
import type { Pain001Options } from './readers/pain-001/read-pain-001.ts';
import { readPayoutFile, SeenOfFile } from './readers/read-payout-file.ts';
import { chunkSplitter } from './split-chunks.ts';

export interface PlanFileDependencies extends Pick<Pain001Options, 'seeInstructions'>, TakenReferences {
  readonly putChunk: (chunk: ChunkFile) => Promise<void>;
  /** May be called millions of times. The errors of one row are consecutive, each with the row's summary. */
  readonly writeError: (error: RowError, summary: RowSummary) => Promise<void> | void;
}

interface PlanFileInput extends Pick<Pain001Options, 'paidOn'> {
  readonly batchId: string;
  /** Bytes of the pinned file version. */
  readonly source: Readable;
  readonly invalidRows: InvalidRows;
  /** How many of the first rows get chunks of their own, before all others. */
  readonly canary?: number;
  readonly methods: readonly PaymentMethod[];
  /** The most rows in a chunk. */
  readonly payoutsPerCall: number;
  readonly settings: Pick<OrchestratorSettings, 'maxRows' | 'maxFileBytes' | 'maxUnpackedBytes' | 'bankCodesByBic'>;
}

/** Errors shown in a batch's status; errors.csv has all. If the file cannot be read to its end, the last one says why. */
const errorsShown = 100;
/** References per lookup (one BatchGetItem) and concurrent lookups. 10 of some 15 ms each check 66,000 rows a second. */
const referencesAtOnce = 100;
const lookupsAtOnce = 10;
/** Chunks written concurrently. */
const chunksAtOnce = 16;

/**
 * The most currencies of a file. One transaction of 100 writes reserves its money: three for each currency, as many for each that
 * conversions take, and one more (ledger/funds/funds.ts).
 */
const mostCurrencies = 25;
const tooManyCurrencies = `The file pays in more than ${mostCurrencies} currencies. Split it into several.`;

/** The most batches that a plan names as having paid its rows. A person looks at few. */
const mostPayers = 20;

/** Errors of a row or of the file, with the row's line and reference where known. */
const placed = (outcome: Exclude<Outcome, { kind: 'valid' }>): readonly RowError[] => {
  if (outcome.kind === 'unreadable') return outcome.errors;
  const { line, errors, summary } = outcome;
  const place = given({ line, reference: summary.reference || undefined });
  return errors.map((error) => ({ ...error, ...place }));
};

/** Names the first row by its line, because clerks look rows up that way. Lines also count the header and blank lines. */
const repeats = (firstLine: number): string =>
  `Line ${firstLine} of this file has the same reference. Give each its own, or remove one.`;

/** Reads and checks every row in order, in groups of one lookup's size. */
async function* checkedRows(
  { batchId, source, methods, settings, paidOn }: PlanFileInput,
  seen: SeenOfFile,
  seeInstructions: Pain001Options['seeInstructions'],
): AsyncGenerator<readonly Outcome[]> {
  const check = rowCheck(batchId, methods);
  const bankCodesByBic = new Map(Object.entries(settings.bankCodesByBic));
  const pain001 = { paidOn, bankCodesByBic, seeInstructions };
  const firstRows = new FirstRows(settings.maxRows);
  let checked: Outcome[] = [];
  let rowsRead = 0;
  try {
    for await (const rows of readPayoutFile(source, settings, seen, pain001)) {
      const firstLines = firstRows.firstLinesOf(rows.filter(({ row }) => row <= settings.maxRows));
      for (const [index, row] of rows.entries()) {
        rowsRead = row.row;
        if (rowsRead > settings.maxRows)
          throw refuseFile('too_many_rows', `The file has more than ${settings.maxRows} rows. Split it into several.`);
        // Applies also when one of the two rows is invalid for another reason.
        const firstLine = firstLines[index];
        const outcome = check(row);
        checked.push(firstLine === undefined ? outcome : withDuplicate(outcome, repeats(firstLine)));
        if (checked.length < referencesAtOnce) continue;
        yield checked;
        checked = [];
      }
    }
    if (rowsRead === 0)
      throw refuseFile(
        'no_rows',
        'The file has no payouts, only a header or nothing. Write a row below the header for each.',
      );
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    checked.push(error);
  }
  yield checked;
}

/** Counts rows that other batches have paid, and names those batches. */
const createPaidElsewhere = () => {
  const batchIds = new Set<string>();
  let rows = 0;
  let lastOn = '';
  return {
    see: ({ batchId, on }: { readonly batchId: string; readonly on: string }): void => {
      rows++;
      batchIds.add(batchId);
      if (on > lastOn) lastOn = on;
    },
    summary: () => (rows === 0 ? undefined : { rows, batches: [...batchIds].sort().slice(0, mostPayers), lastOn }),
  };
};

/**
 * Reads, checks and splits a payout file of any size in one pass. Errors go to `writeError` in the order of the rows.
 * Chunks of valid rows go to `putChunk` once their references are known to be free. A file that cannot be read to its
 * end is refused whole, even when invalid rows are skipped. So is a file without a valid row.
 *
 * The same bytes, methods and lookups make the same chunks. References that this batch itself holds count as free,
 * because the step may run twice. Throws what the source, the lookups and the writes throw.
 */
export const planPayoutFile = async (dependencies: PlanFileDependencies, input: PlanFileInput) => {
  const { batchId, source, invalidRows, canary, payoutsPerCall } = input;
  const { putChunk, writeError } = dependencies;
  const splitter = chunkSplitter(batchId, payoutsPerCall, canary);
  const errors: RowError[] = [];
  const counts = { validRows: 0, invalidRows: 0 };
  const paidElsewhere = createPaidElsewhere();
  const seen = new SeenOfFile();
  let isRead = true;
  let isCorrectable = true;
  let isRefused = false;
  const refuse = async (row: Exclude<Outcome, { kind: 'valid' }>): Promise<void> => {
    if (row.kind === 'invalid') {
      counts.invalidRows++;
      if (row.paid !== undefined) paidElsewhere.see(row.paid);
    } else {
      isRead = false;
      isCorrectable = row.isCorrectable;
    }
    isRefused ||= !isRead || invalidRows === 'reject';
    const summary = row.kind === 'invalid' ? row.summary : emptySummary;
    const found = placed(row);
    // The reason why the file cannot be read is always shown, even after many other errors.
    if (!isRead) errors.length = Math.min(errors.length, errorsShown - Math.min(found.length, errorsShown));
    errors.push(...found.slice(0, errorsShown - errors.length));
    for (const error of found) await writeError(error, summary);
  };
  const markRows = async (rows: readonly Outcome[]) =>
    markRetries(dependencies, await markHeld(dependencies, batchId, rows));
  /** Once the file is refused it needs no more chunks, only its remaining errors. */
  async function* chunksToWrite(): AsyncGenerator<ChunkFile> {
    for await (const rows of inOrder(checkedRows(input, seen, dependencies.seeInstructions), lookupsAtOnce, markRows)) {
      for (const row of rows) {
        if (row.kind === 'valid') {
          counts.validRows++;
          const full = splitter.add(row);
          // Most rows complete no chunk, and `yield*` of an empty list still costs a turn.
          if (!isRefused && full.length > 0) yield* full;
        } else await refuse(row);
      }
    }
    if (splitter.sums().currencies.length > mostCurrencies)
      await refuse(refuseFile('too_many_currencies', tooManyCurrencies));
    isRefused ||= counts.validRows === 0;
    if (!isRefused) yield* splitter.rest();
  }
  try {
    await inParallel(chunksToWrite(), chunksAtOnce, putChunk);
    const { names } = seen.extraColumns;
    return {
      /** A refused file pays nothing; the chunks already written for it are never used. */
      kind: isRefused ? ('refused' as const) : ('planned' as const),
      /** True when the file was read to its end, or when the mistake that stopped it can be corrected in place. */
      isCorrectable,
      rows: counts.validRows + counts.invalidRows,
      ...counts,
      ...splitter.sums(),
      errors,
      ...given({
        alreadyPaid: paidElsewhere.summary(),
        sha256: isRead ? seen.content.digest('hex') : undefined,
        isWorkbook: seen.isWorkbook || undefined,
        extraColumns: names.length === 0 ? undefined : names,
      }),
    };
  } finally {
    source.destroy();
  }
};

export type PlannedFile = Awaited<ReturnType<typeof planPayoutFile>>;
