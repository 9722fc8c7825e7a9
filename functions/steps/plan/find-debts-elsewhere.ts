import { createBatchReader } from '../../batches/batch-reader.ts';
import type { Batch } from '../../domain/batch/batch.ts';
import { isBatchEnd, isBeingFunded } from '../../domain/batch/batch-status.ts';
import type { PlanSummary } from '../../domain/batch/plan.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import type { SortedDebts } from '../../domain/payout/debts.ts';
import { bucketBits, chunkOfPlace, FileDebts, mayPayDebt, placeOf, rowOfPlace } from '../../domain/payout/debts.ts';
import { byPayoutKey, payoutKey } from '../../domain/payout/payout.ts';
import { isEnd } from '../../domain/payout/payout-status.ts';
import type { BatchDebts } from '../../ports/ledger/debt-ledger.ts';
import type { PayoutId } from '../../ports/ledger/payout-ledger.ts';
import type { Needs } from '../../ports/needs.ts';

export type FindElsewhereDependencies = Needs<{
  ledger: 'getBatch' | 'getPayouts' | 'readDebts' | 'countUnpaidContradictions';
  files: 'getChunk';
  settings: 'duplicateWindowDays';
}>;

/** Payouts that a file retries, by their batch and their place in it, each with the row of its retry. */
export type RetriedPayouts = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Payouts of other batches whose debts a file repeats, one per debt, keyed by the place of the file's first row with it. */
export type FoundElsewhere = ReadonlyMap<number, PayoutId>;

const concurrentBuckets = 16;
const concurrentChunks = 16;
const payoutsPerRead = 100;

/**
 * Reads all debts of a planned batch from its chunk files, since the debts it recorded for others may have expired, or never
 * existed.
 */
const debtsOf = async (
  files: FindElsewhereDependencies['files'],
  { rows, chunks, ...plan }: PlanSummary,
): Promise<Uint32Array> => {
  const debts = new FileDebts(rows);
  const numbers = Array.from({ length: chunks }, (_, index) => index + 1);
  await inParallel(numbers, concurrentChunks, async (chunk) => debts.add(await files.getChunk(plan, chunk)));
  return debts.unsorted();
};

/** A debt of the file, by the place of its first row, and the payout of another batch that has the debt too. */
type SharedDebt = readonly [place: number, other: PayoutId];

/**
 * Judges the shared debts of one other batch. `payable`: it has paid them, or may still pay them. `unpaid`: it did not pay them, as
 * far as is known. The provider may pay one after all.
 */
const judgeShared = async (
  ledger: FindElsewhereDependencies['ledger'],
  { batchId, plannedAt, since }: Omit<BatchDebts, 'debts'>,
  shared: readonly SharedDebt[],
) => {
  if (shared.length === 0) return { payable: [], unpaid: [] };
  // Read before the batch's payouts: if the batch has ended by now, it registers no more.
  const batch = await ledger.getBatch(batchId);
  const mayRegister = batch !== undefined && !isBatchEnd(batch.status);
  const payouts = byPayoutKey(await ledger.getPayouts(shared.map(([, id]) => id)));
  const { payable = [], unpaid = [] } = Object.groupBy(shared, ([, id]) => {
    const payout = payouts.get(payoutKey(id));
    // An ended batch may have open payouts: the provider may hold one for weeks, and then pay it.
    const mayStillPay = mayRegister || (payout !== undefined && !isEnd(payout.status));
    // A batch that was planned long ago may have paid lately: its payouts are as recent as their last change.
    if (!mayStillPay && (payout?.updatedAt ?? plannedAt) < since) return 'outside_window';
    if (payout === undefined) return mayRegister ? 'payable' : 'unregistered';
    return mayPayDebt(payout) ? 'payable' : 'unpaid';
  });
  return { payable, unpaid };
};

/**
 * Most batches whose contradictions the release gate reads at each look: all relatives, which are at most 100, and others while
 * there is room. Debts that more did not pay count as repeated.
 */
const mostUnpaidBatches = 100;

/**
 * Finds payouts of other batches for the same debts. Only reads. When one of a debt's payouts ended unpaid, another may still
 * pay it. Relatives come first, because what a relative pays is reported whatever else pays it. They are compared regardless of
 * the window.
 *
 * @param own id of the file's batch
 * @param retried originals of the file's retries. One that did not pay is not noted for its retry's row: it is looked up before the
 *   retry is posted
 * @returns sharers: all batches that owe some of the file's debts and do not disburse yet. unpaid: batches that owe some and did
 *   not pay them
 */
export const findDebtsElsewhere = async (
  { ledger: uncached, files, settings: { duplicateWindowDays: days } }: FindElsewhereDependencies,
  own: string,
  debts: SortedDebts,
  relatives: readonly Batch[],
  retried: RetriedPayouts,
) => {
  const found = new Map<number, PayoutId>();
  const sharing = new Set<string>();
  const ledger = { ...uncached, getBatch: createBatchReader(uncached) };
  /** By batch that owes a debt and did not pay it, the contradictions of its unpaid payouts so far. */
  const noted = new Map<string, Promise<number>>();
  const isRetried = ([place, { batchId, chunk, row }]: SharedDebt): boolean =>
    retried.get(batchId)?.get(placeOf(chunk, row)) === rowOfPlace(place);
  /** Finds the debts that the other batch may pay, and notes the batch if it did not pay some. */
  const judge = async (source: Omit<BatchDebts, 'debts'>, shared: readonly SharedDebt[]): Promise<void> => {
    const { batchId } = source;
    const { payable, unpaid: judged } = await judgeShared(ledger, source, shared);
    for (const [place, id] of payable) found.set(place, id);
    const unpaid = judged.filter((debt) => !isRetried(debt));
    if (unpaid.length === 0) return;
    if (!noted.has(batchId) && noted.size < mostUnpaidBatches)
      noted.set(batchId, ledger.countUnpaidContradictions(batchId));
    // Counted before its payouts are judged for good: each contradiction shows in the payouts, or is recorded after the count.
    await noted.get(batchId);
    const again = noted.has(batchId) ? (await judgeShared(ledger, source, unpaid)).payable : unpaid;
    for (const [place, id] of again) found.set(place, id);
  };
  const take = async ({ debts: theirs, ...source }: BatchDebts): Promise<void> => {
    const { batchId } = source;
    let shared: SharedDebt[] = [];
    for (const [place, other] of debts.shared(theirs)) {
      sharing.add(batchId);
      if (found.has(place)) continue;
      shared.push([place, { batchId, chunk: chunkOfPlace(other), row: rowOfPlace(other) }]);
      if (shared.length < payoutsPerRead) continue;
      await judge(source, shared);
      shared = [];
    }
    await judge(source, shared);
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
    const batch = await ledger.getBatch(batchId);
    if (batch !== undefined && isBeingFunded(batch)) sharers.push(batchId);
  }
  const unpaid = await Array.fromAsync(noted, async ([batchId, count]) => ({ batchId, contradictions: await count }));
  return { found, sharers, unpaid: unpaid.toSorted((one, other) => (one.batchId < other.batchId ? -1 : 1)) };
};
