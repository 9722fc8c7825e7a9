import { isDeepStrictEqual } from 'node:util';
import type { ChunkRecord } from '../domain/chunk.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { ChunkContents, PayoutLedger } from '../ports/payout-ledger.ts';
import { addUp } from './adding-up.ts';
import { equals, setting } from './expressions.ts';
import { keys, partitions, sortPrefixes } from './keys.ts';
import { readCall, readChunkRecord, readPayout } from './payout-codec.ts';
import type { LedgerDependencies } from './store.ts';
import { createStore, startingWith } from './store.ts';

/**
 * Attempts to write a chunk's record. Who loses was overtaken by somebody who added up later, so each attempt lost is
 * one won by another; a chunk has its own child workflow and now and then a webhook beside it, never this many.
 */
const refreshAttempts = 20;

/** A chunk as a whole: its contents, its record, and the records of a batch. */
export const createChunks = (
  dependencies: LedgerDependencies,
): Pick<PayoutLedger, 'readChunk' | 'refreshChunk' | 'listChunks'> => {
  const store = createStore(dependencies);

  const readChunk: PayoutLedger['readChunk'] = async (batchId, chunk): Promise<ChunkContents> => {
    const pk = partitions.chunk(batchId, chunk);
    // Calls sort before payouts, so one query of the whole partition reads both.
    const items = await Array.fromAsync(
      store.query({ pk, from: sortPrefixes.call, to: startingWith(sortPrefixes.payout).to }),
    );
    const isCall = (item: { readonly sk?: unknown }) => String(item.sk).startsWith(sortPrefixes.call);
    return {
      payouts: items.filter((item) => !isCall(item)).map(readPayout),
      calls: items.filter(isCall).map(readCall),
    };
  };

  /**
   * The version is read before the payouts: whoever moves a payout and then refreshes either wins, with that payout in
   * the sum, or loses to one who must itself lose unless it read after the version it met. So the last record written
   * has seen every payout that was moved before any refresh began. Writes nothing when nothing changed.
   */
  const refreshChunk: PayoutLedger['refreshChunk'] = async (batchId, chunk) => {
    const key = keys.chunk(batchId, chunk);
    for (let attempt = 1; attempt <= refreshAttempts; attempt += 1) {
      const item = await store.get(key);
      if (item === undefined) throw new InvariantBroken(`chunk_not_registered: ${batchId} ${chunk}`);
      const before = readChunkRecord(item);
      const { payouts } = await readChunk(batchId, chunk);
      const after: ChunkRecord = { ...before, ...addUp(payouts) };
      if (isDeepStrictEqual(after, before)) return { record: before, payouts };
      const { tallies, proofs, waitingSince, contradictions } = after;
      const version = before.version + 1;
      const change = setting({ tallies, proofs, waitingSince, contradictions, version });
      const result = await store.update(key, change, equals('version', before.version));
      if (result.kind === 'written') return { record: { ...after, version }, payouts };
    }
    throw new Error(`chunk_record_contended: ${batchId} ${chunk}`);
  };

  const listChunks: PayoutLedger['listChunks'] = async (batchId) =>
    Array.fromAsync(
      store.query({ pk: partitions.batch(batchId), ...startingWith(sortPrefixes.chunk) }),
      readChunkRecord,
    );

  return { readChunk, refreshChunk, listChunks };
};
