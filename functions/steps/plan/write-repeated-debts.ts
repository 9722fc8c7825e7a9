import type { Batch } from '../../domain/batch/batch.ts';
import type { RepeatedDebt, RepeatedDebts } from '../../domain/batch/plan.ts';
import { given } from '../../domain/given.ts';
import { inOrder } from '../../domain/in-parallel.ts';
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

/** The rows of a planned file that repeat a debt. */
interface Repeats {
  readonly batchId: string;
  /** Places of rows whose debt an earlier row of the file has, with that row's place. */
  readonly inFile: ReadonlyMap<number, number>;
  readonly elsewhere: FoundElsewhere;
  /** Batches whose rows a correction may contain by mistake: see readRelatives. */
  readonly relatives: readonly Batch[];
}

/**
 * Yields the rows that repeat a debt, each with the payout of another batch or the earlier row that has it too. `isPaid` is true
 * when the other batch has paid it.
 */
async function* repeatedRows(
  { ledger, planFiles }: WriteDebtsDependencies,
  { batchId, inFile, elsewhere }: Repeats,
): AsyncGenerator<{ readonly repeated: RepeatedDebt; readonly isPaid: boolean }> {
  const firsts = new Set(inFile.values());
  /** By place. A first row comes before those that repeat it, because the chunks of one currency are in the order of the file. */
  const firstReferences = new Map<number, string>();
  const places = Float64Array.from(new Set([...inFile.keys(), ...firsts, ...elsewhere.keys()])).sort();
  const chunks = new Set(places.values().map(chunkOfPlace));
  const readChunk = async (chunk: number) => {
    const { payouts } = await planFiles.getChunk(chunk);
    const placed = payouts.map(({ row, reference }) => [{ row, reference }, placeOf(chunk, row)] as const);
    const others = await ledger.getPayouts(placed.flatMap(([, place]) => elsewhere.get(place) ?? []));
    return { placed, others: byPayoutKey(others) };
  };
  for await (const { placed, others } of inOrder(chunks, concurrentChunks, readChunk))
    for (const [planned, place] of placed) {
      if (firsts.has(place)) firstReferences.set(place, planned.reference);
      const [id, first] = [elsewhere.get(place), inFile.get(place)];
      if (id !== undefined) {
        const other = others.get(payoutKey(id));
        const { reference: earlierReference, status: earlierStatus, proof } = other ?? {};
        const known = given({ earlierReference, earlierStatus, earlierProof: proof?.key });
        const repeated = { ...planned, earlierBatchId: id.batchId, earlierRow: id.row, ...known };
        yield { repeated, isPaid: other !== undefined && isPaidForSure(other) };
      } else if (first !== undefined) {
        const known = given({ earlierReference: firstReferences.get(first) });
        yield {
          repeated: { ...planned, earlierBatchId: batchId, earlierRow: rowOfPlace(first), ...known },
          isPaid: false,
        };
      }
    }
}

/**
 * Writes repeated-debts.csv: the rows of a planned file that repeat a debt of an earlier row, or of another batch. Returns its
 * summary, or undefined when no row does.
 */
export const writeRepeatedDebts = async (
  dependencies: WriteDebtsDependencies,
  repeats: Repeats,
): Promise<RepeatedDebts | undefined> => {
  const list = csvSink(columns, (csv) => dependencies.planFiles.putList('repeated-debts.csv', csv));
  const first: RepeatedDebt[] = [];
  let rows = 0;
  let ofCorrected = 0;
  let paidRows = 0;
  const payers = new Set<string>();
  const related = new Set(repeats.relatives.map(({ batchId }) => batchId));
  for await (const { repeated, isPaid } of repeatedRows(dependencies, repeats)) {
    rows++;
    if (isPaid) {
      paidRows++;
      payers.add(repeated.earlierBatchId);
    }
    if (related.has(repeated.earlierBatchId)) ofCorrected++;
    if (first.length < maxShown) first.push(repeated);
    await list.write(columns.map((column) => String(repeated[column] ?? '')));
  }
  const stored = await list.finish();
  if (stored === undefined) return undefined;
  const ofPaid = paidRows === 0 ? {} : { ofPaid: { rows: paidRows, batches: [...payers].sort().slice(0, maxPayers) } };
  return { rows, ...(ofCorrected === 0 ? {} : { ofCorrected }), ...ofPaid, list: stored, first };
};
