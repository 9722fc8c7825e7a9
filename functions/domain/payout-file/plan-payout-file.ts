import type { Readable } from 'node:stream';
import type { PayoutId, PayoutLedger } from '../../ports/payout-ledger.ts';
import type { PaymentMethod } from '../../ports/provider.ts';
import type { InvalidRows, PlanSummary, RowError } from '../batch.ts';
import type { ChunkFile } from '../chunk.ts';
import { inFlight } from '../in-parallel.ts';
import type { OrchestratorSettings } from '../settings.ts';
import type { CheckedRow } from './check-row.ts';
import { rowCheck } from './check-row.ts';
import type { FileRow } from './fields.ts';
import { FileRefused, refuseFile } from './fields.ts';
import { FirstRows } from './first-rows.ts';
import { readPayoutFile } from './read-payout-file.ts';
import { chunkSplitter } from './split-chunks.ts';

export interface PlanFileDependencies {
  /** Which references are taken, and by which batch. */
  readonly findReferences: PayoutLedger['findReferences'];
  readonly putChunk: (chunk: ChunkFile) => Promise<void>;
  /** There may be millions. */
  readonly writeError: (error: RowError) => Promise<void> | void;
}

export interface PlanFileInput {
  readonly batchId: string;
  /** Bytes of the pinned file version. */
  readonly source: Readable;
  readonly invalidRows: InvalidRows;
  readonly methods: readonly PaymentMethod[];
  readonly settings: Pick<OrchestratorSettings, 'payoutsPerCall' | 'maxRows' | 'maxFileBytes' | 'maxUnpackedBytes'>;
}

/** What planning found. A refused file pays nothing; chunks that were written for it are used by nobody. */
export type PlannedFile = Pick<
  PlanSummary,
  'chunks' | 'rows' | 'validRows' | 'invalidRows' | 'errors' | 'currencies'
> & {
  readonly kind: 'planned' | 'refused';
  /** All of them; `errors` has the first 100. */
  readonly errorCount: number;
};

/** Errors shown in the status of a batch; all are in errors.csv. */
const errorsShown = 100;
/**
 * References asked for in one lookup: one BatchGetItem. And lookups under way at once: 16 of some 15 ms are 100,000 rows a
 * second, and the rows that wait for them are few enough to die young. Ten times as many cost a fifth of the time and 100 MB.
 */
const referencesAtOnce = 100;
const lookupsAtOnce = 16;
/** Chunks being written at once. */
const chunksAtOnce = 16;

/** Rows whose references are being looked up, in the order of the file. */
interface Awaited {
  readonly rows: readonly CheckedRow[];
  readonly held: ReturnType<PlanFileDependencies['findReferences']>;
}

const duplicateOf = (row: number, message: string): RowError => ({
  row,
  column: 'reference',
  code: 'duplicate_reference',
  message,
});

const withError = (row: CheckedRow, error: RowError): CheckedRow => ({
  kind: 'invalid',
  row: row.row,
  errors: row.kind === 'invalid' ? [...row.errors, error] : [error],
});

/** Finds the second use of a reference in the file, also where one of the two rows is invalid for another reason. */
const duplicateFinder = () => {
  const firstRows = new FirstRows();
  return (checked: CheckedRow, reference: string): CheckedRow => {
    if (reference === '') return checked;
    const first = firstRows.firstRowOf(reference, checked.row);
    if (first === undefined) return checked;
    return withError(checked, duplicateOf(checked.row, `Row ${first} of this file has the same reference.`));
  };
};

const unlessHeld = (row: CheckedRow, held: ReadonlyMap<string, PayoutId>, batchId: string): CheckedRow => {
  if (row.kind === 'invalid' || held.size === 0) return row;
  const holder = held.get(row.payout.reference)?.batchId;
  if (holder === undefined || holder === batchId) return row;
  return withError(row, duplicateOf(row.row, `Batch ${holder} has a payout with the same reference.`));
};

/** Rows on their way from the file to their chunks. */
const planning = (dependencies: PlanFileDependencies, input: PlanFileInput) => {
  const { batchId, invalidRows, settings } = input;
  const check = rowCheck(batchId, input.methods);
  const markDuplicate = duplicateFinder();
  const splitter = chunkSplitter(batchId, settings.payoutsPerCall);
  const chunkWrites = inFlight(chunksAtOnce);
  const awaited: Awaited[] = [];
  const shown: RowError[] = [];
  const counts = { rows: 0, validRows: 0, invalidRows: 0, errorCount: 0 };
  let gathered: CheckedRow[] = [];

  const report = async (errors: readonly RowError[]): Promise<void> => {
    for (const error of errors) {
      counts.errorCount++;
      if (shown.length < errorsShown) shown.push(error);
      await dependencies.writeError(error);
    }
  };

  /** A file that will be refused needs no chunks any more, only its remaining errors. */
  const isRefused = (): boolean => counts.errorCount > 0 && invalidRows === 'reject';

  const write = async (chunk: ChunkFile): Promise<void> => {
    if (!isRefused()) await chunkWrites.add(() => dependencies.putChunk(chunk));
  };

  /** Something to wait for only now and then: most rows just join their chunk. */
  const settle = (row: CheckedRow): Promise<void> | undefined => {
    if (row.kind === 'invalid') {
      counts.invalidRows++;
      return report(row.errors);
    }
    counts.validRows++;
    const full = splitter.add(row);
    return full === undefined ? undefined : write(full);
  };

  const lookUpGathered = (): void => {
    const rows = gathered;
    gathered = [];
    const references = rows.flatMap((row) => (row.kind === 'valid' && row.ownReference ? [row.payout.reference] : []));
    const held: Awaited['held'] =
      references.length === 0 ? Promise.resolve(new Map()) : dependencies.findReferences(references);
    // It is awaited in its turn; until then a failure must not count as unhandled.
    held.catch(() => undefined);
    awaited.push({ rows, held });
  };

  const settleDownTo = async (lookups: number): Promise<void> => {
    while (awaited.length > lookups) {
      const block = awaited.shift();
      if (block === undefined) return;
      const held = await block.held;
      for (const row of block.rows) {
        const settled = settle(unlessHeld(row, held, batchId));
        if (settled !== undefined) await settled;
      }
    }
  };

  const settleAll = async (): Promise<void> => {
    lookUpGathered();
    await settleDownTo(0);
  };

  const result = (kind: PlannedFile['kind']): PlannedFile => ({
    kind,
    ...counts,
    chunks: splitter.chunks(),
    currencies: splitter.currencies(),
    errors: shown,
  });

  return {
    take: (row: FileRow): void => {
      if (row.row > settings.maxRows)
        throw refuseFile('too_many_rows', `The file has more than ${settings.maxRows} rows. Split it into several.`);
      counts.rows = row.row;
      gathered.push(markDuplicate(check(row), row.reference));
      if (gathered.length === referencesAtOnce) lookUpGathered();
    },
    keepUp: (): Promise<void> => settleDownTo(lookupsAtOnce),
    finish: async (): Promise<PlannedFile> => {
      if (counts.rows === 0) throw refuseFile('no_rows', 'The file has no payouts, only a header or nothing.');
      await settleAll();
      if (isRefused() || counts.validRows === 0) return result('refused');
      for (const chunk of splitter.rest()) await write(chunk);
      await chunkWrites.finish();
      return result('planned');
    },
    refuse: async (errors: readonly RowError[]): Promise<PlannedFile> => {
      await settleAll();
      await report(errors);
      return result('refused');
    },
    settleWrites: chunkWrites.settle,
  };
};

/**
 * Reads, checks and splits a payout file in one pass, whatever its size. Every error goes to `writeError` in the order of
 * the rows; every chunk of valid rows goes to `putChunk` once all its references are known to be free. A file that
 * cannot be read on is refused whole, also when invalid rows are to be skipped, and so is one without a valid row.
 *
 * The same bytes, methods and lookups make the same chunks. A reference that this batch itself holds is free, since the
 * step may run twice. Throws what the source, the lookups and the writes throw.
 */
export const planPayoutFile = async (
  dependencies: PlanFileDependencies,
  input: PlanFileInput,
): Promise<PlannedFile> => {
  const plan = planning(dependencies, input);
  try {
    for await (const rows of readPayoutFile(input.source, input.settings)) {
      for (const row of rows) plan.take(row);
      await plan.keepUp();
    }
    return await plan.finish();
  } catch (error) {
    if (error instanceof FileRefused) return await plan.refuse(error.errors);
    throw error;
  } finally {
    await plan.settleWrites();
    input.source.destroy();
  }
};
