import type { Batch } from '../../domain/batch/batch.ts';
import type { RepeatedDebt, RepeatedDebts } from '../../domain/batch/plan.ts';
import { given } from '../../domain/given.ts';
import { inOrder, inParallel } from '../../domain/in-parallel.ts';
import { chunkOfPlace, isPaidForSure, placeOf, rowOfPlace } from '../../domain/payout/debts.ts';
import { byPayoutKey, payoutKey } from '../../domain/payout/payout.ts';
import { csvSink } from '../../domain/report/csv-report.ts';
import type { PlanFiles } from '../../ports/files.ts';
import type { Needs } from '../../ports/needs.ts';
import type { FoundElsewhere } from './find-debts-elsewhere.ts';

type WriteDebtsDependencies = Needs<{ ledger: 'getPayouts' }> & {
  readonly planFiles: Pick<PlanFiles, 'getChunk' | 'putList'>;
};

const concurrentChunks = 16;
/** Repeated debts shown in a batch's status. All are in repeated-debts.csv. */
const maxShown = 20;
/** Maximum batches named as payers: a person looks at few. */
const maxPayers = 20;

const columns = [
  'row',
  'reference',
  'earlierBatchId',
  'earlierRow',
  'earlierReference',
  'earlierStatus',
  'earlierProof',
] as const satisfies readonly (keyof RepeatedDebt)[];

const referencesOf = async (
  planFiles: WriteDebtsDependencies['planFiles'],
  places: Iterable<number>,
): Promise<ReadonlyMap<number, string>> => {
  const references = new Map<number, string>();
  await inParallel(Map.groupBy(places, chunkOfPlace), concurrentChunks, async ([chunk, own]) => {
    const rows = new Set(own.map(rowOfPlace));
    for (const { row, reference } of (await planFiles.getChunk(chunk)).payouts)
      if (rows.has(row)) references.set(row, reference);
  });
  return references;
};

interface Found {
  readonly repeated: RepeatedDebt;
  /** True when the other batch has paid the debt. */
  readonly isPaid: boolean;
}

/** The rows of a planned file that repeat a debt. */
interface Repeats {
  readonly batchId: string;
  /** Places of rows whose debt an earlier row of the file has, with that row's place. */
  readonly inFile: ReadonlyMap<number, number>;
  readonly elsewhere: FoundElsewhere;
  /** Batches whose rows a correction may contain by mistake: see readRelatives. */
  readonly relatives: readonly Batch[];
}

/** Returns the rows of a chunk that repeat a debt, each with the payout of another batch or the earlier row that has it too. */
const repeatedIn = async (
  { ledger, planFiles }: WriteDebtsDependencies,
  { batchId, inFile, elsewhere }: Repeats,
  firstReferences: ReadonlyMap<number, string>,
  chunk: number,
): Promise<readonly Found[]> => {
  const file = await planFiles.getChunk(chunk);
  const placed = file.payouts.map(({ row, reference }) => [{ row, reference }, placeOf(chunk, row)] as const);
  const payouts = byPayoutKey(await ledger.getPayouts(placed.flatMap(([, place]) => elsewhere.get(place) ?? [])));
  return placed.flatMap(([planned, place]): readonly Found[] => {
    const id = elsewhere.get(place);
    if (id !== undefined) {
      const other = payouts.get(payoutKey(id));
      const { reference: earlierReference, status: earlierStatus, proof } = other ?? {};
      const known = given({ earlierReference, earlierStatus, earlierProof: proof?.key });
      const repeated = { ...planned, earlierBatchId: id.batchId, earlierRow: id.row, ...known };
      return [{ repeated, isPaid: other !== undefined && isPaidForSure(other) }];
    }
    const first = inFile.get(place);
    if (first === undefined) return [];
    const earlierRow = rowOfPlace(first);
    const known = given({ earlierReference: firstReferences.get(earlierRow) });
    return [{ repeated: { ...planned, earlierBatchId: batchId, earlierRow, ...known }, isPaid: false }];
  });
};

/**
 * Writes repeated-debts.csv: the rows of a planned file that repeat a debt of an earlier row, or of another batch. Returns its
 * summary, or undefined when no row does.
 */
export const writeRepeatedDebts = async (
  dependencies: WriteDebtsDependencies,
  repeats: Repeats,
): Promise<RepeatedDebts | undefined> => {
  const { planFiles } = dependencies;
  const { inFile, elsewhere, relatives } = repeats;
  const firstReferences = await referencesOf(planFiles, inFile.values());
  const places = Float64Array.from(new Set([...inFile.keys(), ...elsewhere.keys()])).sort();
  const list = csvSink(columns, (csv) => planFiles.putList('repeated-debts.csv', csv));
  const first: RepeatedDebt[] = [];
  let rows = 0;
  let ofCorrected = 0;
  let paidRows = 0;
  const payers = new Set<string>();
  const related = new Set(relatives.map((relative) => relative.batchId));
  const chunks = new Set(places.values().map(chunkOfPlace));
  const repeatedOf = (chunk: number) => repeatedIn(dependencies, repeats, firstReferences, chunk);
  for await (const found of inOrder(chunks, concurrentChunks, repeatedOf)) {
    const repeated = found.map((one) => one.repeated);
    rows += repeated.length;
    const paid = found.filter(({ isPaid }) => isPaid);
    paidRows += paid.length;
    for (const one of paid) payers.add(one.repeated.earlierBatchId);
    ofCorrected += repeated.filter(({ earlierBatchId }) => related.has(earlierBatchId)).length;
    first.push(...repeated.slice(0, maxShown - first.length));
    for (const each of repeated) await list.write(columns.map((column) => String(each[column] ?? '')));
  }
  const stored = await list.finish();
  if (stored === undefined) return undefined;
  const ofPaid = paidRows === 0 ? {} : { ofPaid: { rows: paidRows, batches: [...payers].sort().slice(0, maxPayers) } };
  return { rows, ...(ofCorrected === 0 ? {} : { ofCorrected }), ...ofPaid, list: stored, first };
};
