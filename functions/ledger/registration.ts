import type { ChunkFile, PlannedPayout } from '../domain/chunk.ts';
import { shownDestination } from '../domain/destination.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { isoNow } from '../ports/environment.ts';
import type { PayoutLedger } from '../ports/payout-ledger.ts';
import { addUp } from './adding-up.ts';
import { createChunks } from './chunks.ts';
import { absent, and, equals, or } from './expressions.ts';
import { keys, partitions, sortPrefixes } from './keys.ts';
import { chunkItem, payoutItem, readPayout, readReferenceHolder, referenceItem } from './payout-codec.ts';
import type { LedgerDependencies } from './store.ts';
import { createStore, requestItems, startingWith } from './store.ts';
import type { Write } from './writes.ts';

/** A payout is written with its reference: two items of a transaction each. */
const payoutsPerTransaction = requestItems / 2;

/** The next payouts to register together: one transaction names an item once, so no reference twice. */
const nextGroup = (left: readonly Payout[]): readonly Payout[] => {
  const byKey = new Map<string, Payout>();
  for (const payout of left) {
    if (byKey.size === payoutsPerTransaction) break;
    const { pk } = keys.reference(payout.reference);
    if (!byKey.has(pk)) byKey.set(pk, payout);
  }
  return [...byKey.values()];
};

const withReference = (payout: Payout): readonly Write[] => [
  { kind: 'put', item: payoutItem(payout), condition: absent('pk'), tellOld: true },
  {
    kind: 'put',
    item: referenceItem(payout.reference, payout),
    condition: or(
      absent('pk'),
      and(equals('batchId', payout.batchId), equals('chunk', payout.chunk), equals('row', payout.row)),
    ),
    tellOld: true,
  },
];

/** What stands in place of a payout must be that payout, whatever became of it since. */
const mustBeSame = (standing: Payout, planned: Payout): void => {
  const same =
    standing.reference === planned.reference &&
    standing.amount === planned.amount &&
    standing.destinationHash === planned.destinationHash;
  if (!same) throw new InvariantBroken(`payout_differs_from_plan: ${planned.batchId} ${planned.row}`);
};

/** Writing a chunk's payouts for the first time. */
export const createRegistration = (dependencies: LedgerDependencies): Pick<PayoutLedger, 'registerPayouts'> => {
  const { clock } = dependencies;
  const store = createStore(dependencies);
  const { readChunk } = createChunks(dependencies);

  const readPayouts = async (batchId: string, chunk: number): Promise<readonly Payout[]> => {
    const range = { pk: partitions.chunk(batchId, chunk), ...startingWith(sortPrefixes.payout) };
    return Array.fromAsync(store.query(range), readPayout);
  };

  const rejectAsDuplicate = async (payout: Payout, heldBy: string): Promise<void> => {
    const rejected: Payout = {
      ...payout,
      status: 'rejected',
      reason: { code: 'duplicate_reference', message: `The reference is taken by batch ${heldBy}.` },
      heldBy,
    };
    const result = await store.put(payoutItem(rejected), absent('pk'));
    if (result.kind === 'refused' && result.item !== undefined) mustBeSame(readPayout(result.item), payout);
  };

  /** Rows that need no further attempt: all of them, or those the ledger had something to say about. */
  const register = async (group: readonly Payout[]): Promise<ReadonlySet<number>> => {
    const result = await store.transact(group.flatMap(withReference));
    if (result.kind === 'written') return new Set(group.map(({ row }) => row));
    const settled = new Set<number>();
    for (const [index, payout] of group.entries()) {
      const standing = result.writes[2 * index];
      const reference = result.writes[2 * index + 1];
      if (standing?.failed && standing.item !== undefined) {
        mustBeSame(readPayout(standing.item), payout);
        settled.add(payout.row);
      } else if (reference?.failed && reference.item !== undefined) {
        await rejectAsDuplicate(payout, readReferenceHolder(reference.item).batchId);
        settled.add(payout.row);
      }
    }
    if (settled.size === 0)
      throw new InvariantBroken(`registration_refused_without_reason: ${group[0]?.batchId ?? ''}`);
    return settled;
  };

  const asReady =
    (chunk: ChunkFile, hashes: ReadonlyMap<number, string>, now: string) =>
    (planned: PlannedPayout): Payout => {
      const destinationHash = hashes.get(planned.row);
      if (destinationHash === undefined)
        throw new InvariantBroken(`destination_hash_missing: ${chunk.batchId} ${planned.row}`);
      return {
        batchId: chunk.batchId,
        chunk: chunk.chunk,
        row: planned.row,
        reference: planned.reference,
        rail: chunk.rail,
        currency: chunk.currency,
        amount: planned.amount,
        destinationHash,
        destination: shownDestination(planned.recipient),
        status: 'ready',
        statusSince: now,
        updatedAt: now,
      };
    };

  const registerPayouts: PayoutLedger['registerPayouts'] = async (chunk, destinationHashes) => {
    const { batchId, rail, currency } = chunk;
    // The record is written last: where it stands, everything stands.
    const registered = await readChunk(batchId, chunk.chunk);
    if (registered !== undefined) return registered;
    const now = isoNow(clock);
    let left: readonly Payout[] = chunk.payouts.map(asReady(chunk, destinationHashes, now));
    while (left.length > 0) {
      const settled = await register(nextGroup(left));
      left = left.filter(({ row }) => !settled.has(row));
    }
    const payouts = await readPayouts(batchId, chunk.chunk);
    if (payouts.length !== chunk.payouts.length)
      throw new InvariantBroken(`chunk_registered_in_part: ${batchId} ${chunk.chunk}`);
    const record = { batchId, chunk: chunk.chunk, rail, currency, ...addUp(payouts), registeredAt: now, version: 1 };
    const written = await store.put(chunkItem(record), absent('pk'));
    // A second run that got here first wrote the same, and may have gone on since.
    const standing = written.kind === 'written' ? undefined : await readChunk(batchId, chunk.chunk);
    return standing ?? { record, payouts, calls: [] };
  };

  return { registerPayouts };
};
