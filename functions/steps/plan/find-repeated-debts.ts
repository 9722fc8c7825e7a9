import type { Batch } from '../../domain/batch/batch.ts';
import { isBatchEnd, isBeingFunded } from '../../domain/batch/batch-status.ts';
import type { PlannedPayout } from '../../domain/batch/chunk-file.ts';
import type { PlanSummary, RepeatedDebt, RepeatedDebts } from '../../domain/batch/plan.ts';
import { given } from '../../domain/given.ts';
import { inOrder, inParallel } from '../../domain/in-parallel.ts';
import type { SortedDebts } from '../../domain/payout/debts.ts';
import {
  bucketBits,
  chunkOfPlace,
  FileDebts,
  isPaidForSure,
  isSameDebt,
  mayPayDebt,
  placeOf,
  rowOfPlace,
} from '../../domain/payout/debts.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { payoutKey } from '../../domain/payout/payout.ts';
import { csvSink } from '../../domain/report/csv-report.ts';
import type { PlanFiles } from '../../ports/files.ts';
import type { BatchDebts } from '../../ports/ledger/debt-ledger.ts';
import type { PayoutId } from '../../ports/ledger/payout-ledger.ts';
import type { Needs } from '../../ports/needs.ts';

type FindDebtsDependencies = Needs<{
  ledger: 'getBatch' | 'getPayouts' | 'recordDebts' | 'noteSharedDebts' | 'readDebts';
  files: 'getChunk';
}> & {
  readonly planFiles: Pick<PlanFiles, 'prefix' | 'getChunk' | 'putRepeatedDebts'>;
  readonly duplicateWindowDays: number;
  /** Until when the batch's own debts are kept, ISO 8601. */
  readonly keptUntil: string;
};

const concurrentBuckets = 16;
const concurrentChunks = 16;
const payoutsPerRead = 100;
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

const readPayouts = async (
  ledger: FindDebtsDependencies['ledger'],
  ids: readonly PayoutId[],
): Promise<ReadonlyMap<string, Payout>> =>
  new Map((await ledger.getPayouts(ids)).map((payout) => [payoutKey(payout), payout]));

/**
 * Reads all debts of a planned batch from its chunk files, since the debts it recorded for others may have expired, or never
 * existed.
 */
const debtsOf = async (
  files: FindDebtsDependencies['files'],
  { rows, chunks, ...plan }: PlanSummary,
): Promise<Uint32Array> => {
  const debts = new FileDebts(rows);
  const numbers = Array.from({ length: chunks }, (_, index) => index + 1);
  await inParallel(numbers, concurrentChunks, async (chunk) => debts.add(await files.getChunk(plan, chunk)));
  return debts.unsorted();
};

/**
 * Finds payouts of other batches for the same debts. When one of a debt's payouts ended unpaid, another may still pay it.
 * Relatives come first, because what a relative pays is reported whatever else pays it. They are compared regardless of the
 * window.
 *
 * @returns found: payouts of other batches whose debts the file repeats, one per row, keyed by the place of the file's row.
 *   sharers: all batches that owe some of the file's debts and do not disburse yet
 */
const findElsewhere = async (
  { ledger, files, duplicateWindowDays: days }: FindDebtsDependencies,
  own: string,
  debts: SortedDebts,
  relatives: readonly Batch[],
) => {
  const found = new Map<number, PayoutId>();
  const sharing = new Set<string>();
  const batches = new Map<string, Promise<Batch | undefined>>();
  const getBatch = (batchId: string): Promise<Batch | undefined> => {
    const asked = batches.get(batchId) ?? ledger.getBatch(batchId);
    batches.set(batchId, asked);
    return asked;
  };
  const judge = async (
    shared: readonly (readonly [number, PayoutId])[],
    batchId: string,
    plannedAt: string,
    since: string,
  ): Promise<void> => {
    if (shared.length === 0) return;
    // Read before the batch's payouts: if the batch has ended by now, it registers no more.
    const batch = await getBatch(batchId);
    const mayRegister = batch !== undefined && !isBatchEnd(batch.status);
    const payouts = await readPayouts(
      ledger,
      shared.map(([, id]) => id),
    );
    for (const [place, id] of shared) {
      const payout = payouts.get(payoutKey(id));
      // A batch that was planned long ago may still be paying: its payouts are as recent as their last change.
      const isInWindow = mayRegister || (payout?.updatedAt ?? plannedAt) >= since;
      if (isInWindow && (payout === undefined ? mayRegister : mayPayDebt(payout))) found.set(place, id);
    }
  };
  const take = async ({ batchId, debts: theirs, plannedAt, since }: BatchDebts): Promise<void> => {
    let shared: (readonly [number, PayoutId])[] = [];
    for (const [place, other] of debts.shared(theirs)) {
      sharing.add(batchId);
      if (found.has(place)) continue;
      shared.push([place, { batchId, chunk: chunkOfPlace(other), row: rowOfPlace(other) }]);
      if (shared.length < payoutsPerRead) continue;
      await judge(shared, batchId, plannedAt, since);
      shared = [];
    }
    await judge(shared, batchId, plannedAt, since);
  };
  for (const { batchId, mode, plan } of relatives)
    if (mode === 'disburse' && plan?.manifestKey !== undefined)
      // The empty time precedes all others: a relative's payment counts however long ago it was.
      await take({ batchId, debts: await debtsOf(files, plan), plannedAt: '', since: '' });
  const buckets = days === 0 ? [] : bucketBits.flatMap((bits) => debts.buckets(bits));
  await inParallel(buckets, concurrentBuckets, async (bucket) => {
    for await (const theirs of ledger.readDebts(bucket, days)) if (theirs.batchId !== own) await take(theirs);
  });
  const sharers: string[] = [];
  for (const batchId of sharing) {
    const batch = await getBatch(batchId);
    if (batch !== undefined && isBeingFunded(batch)) sharers.push(batchId);
  }
  return { found, sharers };
};

const referencesOf = async (
  planFiles: FindDebtsDependencies['planFiles'],
  places: Iterable<number>,
): Promise<ReadonlyMap<number, string>> => {
  const rows = new Set<number>();
  const chunks = new Set<number>();
  for (const place of places) {
    rows.add(rowOfPlace(place));
    chunks.add(chunkOfPlace(place));
  }
  const references = new Map<number, string>();
  await inParallel(chunks, concurrentChunks, async (chunk) => {
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

const repeatedFromOther = (
  { row, reference }: PlannedPayout,
  id: PayoutId,
  payout: Payout | undefined,
): RepeatedDebt => ({
  row,
  reference,
  earlierBatchId: id.batchId,
  earlierRow: id.row,
  ...(payout === undefined ? {} : { earlierReference: payout.reference, earlierStatus: payout.status }),
  ...given({ earlierProof: payout?.proof?.key }),
});

/**
 * Lists the rows of a planned file that repeat a debt of an earlier row, or of a batch planned in the last days. A paying batch
 * records its debts before it reads those of others. So of two that are planned concurrently, at least one finds the other. A
 * preview records nothing.
 *
 * @param gathered the debts of every chunk of the plan
 * @param relatives batches whose rows a correction may contain by mistake: see readRelatives
 */
export const findRepeatedDebts = async (
  dependencies: FindDebtsDependencies,
  { batchId, mode }: Pick<Batch, 'batchId' | 'mode'>,
  runId: string,
  gathered: FileDebts,
  relatives: readonly Batch[],
): Promise<RepeatedDebts | undefined> => {
  const { ledger, planFiles, duplicateWindowDays: days } = dependencies;
  if (days === 0 && relatives.length === 0) return undefined;
  const debts = gathered.sorted();
  if (mode === 'disburse' && days > 0)
    await ledger.recordDebts(batchId, runId, debts.toStore(), dependencies.keptUntil);
  const { found: elsewhere, sharers } = await findElsewhere(dependencies, batchId, debts, relatives);
  if (mode === 'disburse') await ledger.noteSharedDebts(batchId, sharers);
  const inFile = days === 0 ? new Map<number, number>() : debts.repeats;
  const firstReferences = await referencesOf(planFiles, inFile.values());
  const places = Float64Array.from(new Set([...inFile.keys(), ...elsewhere.keys()])).sort();
  const repeatedOf = async (chunk: number): Promise<readonly Found[]> => {
    const file = await planFiles.getChunk(chunk);
    const repeated = file.payouts.map((planned) => [planned, placeOf(chunk, planned.row)] as const);
    const payouts = await readPayouts(
      ledger,
      repeated.flatMap(([, place]) => elsewhere.get(place) ?? []),
    );
    return repeated.flatMap(([planned, place]) => {
      const id = elsewhere.get(place);
      const other = id && payouts.get(payoutKey(id));
      // A payout that is not registered yet counts as the same debt, by its fingerprint alone.
      const isSame = other === undefined || isSameDebt(file.currency, planned, other);
      if (id !== undefined && isSame)
        return [
          { repeated: repeatedFromOther(planned, id, other), isPaid: other !== undefined && isPaidForSure(other) },
        ];
      const first = inFile.get(place);
      if (first === undefined) return [];
      const { row, reference } = planned;
      const earlierRow = rowOfPlace(first);
      const earlierReference = firstReferences.get(earlierRow);
      const earlier = { earlierBatchId: batchId, earlierRow, ...(earlierReference && { earlierReference }) };
      return [{ repeated: { row, reference, ...earlier }, isPaid: false }];
    });
  };
  const list = csvSink(columns, (csv) => planFiles.putRepeatedDebts(csv));
  const first: RepeatedDebt[] = [];
  let rows = 0;
  let ofCorrected = 0;
  let paidRows = 0;
  const payers = new Set<string>();
  const related = new Set(relatives.map((relative) => relative.batchId));
  const chunks = new Set(places.values().map(chunkOfPlace));
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
