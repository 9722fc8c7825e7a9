import type { ChunkFile, PlannedPayout } from '../../domain/batch/chunk-file.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import { inParallel } from '../../domain/in-parallel.ts';
import { Money } from '../../domain/money/money.ts';
import { hashDestination, isHashOf, shownDestination } from '../../domain/payout/destination.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { isoNow } from '../../ports/environment.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { absent, and, equals, or } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { addUp } from './adding-up.ts';
import { createChunks } from './chunks.ts';
import { chunkItem, payoutItem, readPayout, readReferenceHolder } from './payout-codec.ts';

/** Rows of a chunk written concurrently: within the SDK's 50 connections and a partition's 1,000 writes per second. */
const rowsAtOnce = 25;

/** A row of the chunk file, and its payout as it is first written. */
interface Row {
  readonly planned: PlannedPayout;
  readonly payout: Payout;
}

const readyPayout = (
  { batchId, chunk, rail, currency }: ChunkFile,
  { row, reference, amount, recipient }: PlannedPayout,
  now: string,
): Payout => ({
  batchId,
  chunk,
  row,
  reference,
  rail,
  amount: Money.of(amount, currency),
  destinationHash: hashDestination(recipient),
  destination: shownDestination(recipient),
  status: 'ready',
  statusSince: now,
  updatedAt: now,
});

/** A stored payout must be the planned one, whatever its status now. An older version may have stored it. */
const mustBeSame = (stored: Payout, { planned, payout }: Row): void => {
  const same =
    stored.reference === payout.reference &&
    stored.amount.equals(payout.amount) &&
    isHashOf(stored.destinationHash, planned.recipient);
  if (!same) throw new InvariantBroken(`payout_differs_from_plan: ${payout.batchId} ${payout.row}`);
};

/** Writes a chunk's payouts for the first time. */
export const createRegistration = (dependencies: PartDependencies) => {
  const { store, clock } = dependencies;
  const { readChunk } = createChunks(dependencies);

  const write = async (row: Row): Promise<void> => {
    const result = await store.put(payoutItem(row.payout), absent('pk'));
    if (result.kind === 'refused' && result.item !== undefined) mustBeSame(readPayout(result.item), row);
  };

  /**
   * Two writes, each at half its price in a transaction. The reference is first: a payout is `ready` only when its row holds the
   * reference. If a run stops between the two, the row already holds its reference, and the next run writes the payout.
   */
  const register = async ({ planned, payout }: Row): Promise<void> => {
    const { batchId, chunk, row, reference } = payout;
    const isThisRows = and(equals('batchId', batchId), equals('chunk', chunk), equals('row', row));
    const holder = { ...keys.reference(reference), batchId, chunk, row };
    const taking = await store.put(holder, or(absent('pk'), isThisRows));
    if (taking.kind === 'written') return write({ planned, payout });
    if (taking.item === undefined) throw new InvariantBroken(`reference_refused_by_nobody: ${batchId} ${row}`);
    const { batchId: heldBy } = readReferenceHolder(taking.item);
    const reason = { code: 'duplicate_reference', message: `The reference is taken by batch ${heldBy}.` };
    return write({ planned, payout: { ...payout, status: 'rejected', reason, heldBy } });
  };

  const registerPayouts: PayoutLedger['registerPayouts'] = async (chunk) => {
    const { batchId, chunk: n, rail, currency, hasNoProofs } = chunk;
    // The record is written last: when it exists, everything exists.
    const registered = await readChunk(batchId, chunk.chunk);
    if (registered !== undefined) return registered;
    const now = isoNow(clock);
    // When two rows have the same reference, the first gets it, so such rows are written sequentially.
    const ready = chunk.payouts.map((planned): Row => ({ planned, payout: readyPayout(chunk, planned, now) }));
    const byReference = Map.groupBy(ready, ({ planned }) => keys.reference(planned.reference).pk);
    await inParallel(byReference.values(), rowsAtOnce, async (rows) => {
      for (const row of rows) await register(row);
    });
    const payouts = await store.list(partitions.chunk(batchId, n), sortPrefixes.payout, readPayout);
    if (payouts.length !== chunk.payouts.length)
      throw new InvariantBroken(`chunk_registered_in_part: ${batchId} ${chunk.chunk}`);
    const identity = { batchId, chunk: n, rail, currency, ...given({ hasNoProofs }) };
    const record = { ...identity, ...addUp(currency, payouts), registeredAt: now, version: 1 };
    const written = await store.put(chunkItem(record), absent('pk'));
    // A concurrent run that was first wrote the same, and may have continued since.
    const stored = written.kind === 'written' ? undefined : await readChunk(batchId, chunk.chunk);
    return stored ?? { record, payouts, calls: [] };
  };

  return { registerPayouts };
};
