import { isDeepStrictEqual } from 'node:util';
import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { withMoved } from '../../domain/payout/payout.ts';
import type { ChunkContents, CountedChunk, PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { equals, setting } from '../table/expressions.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { addUp } from './adding-up.ts';
import { chunkChanges, readCall, readChunkRecord, readPayout } from './payout-codec.ts';

/**
 * Attempts to write a chunk's record. A failed attempt means that another writer succeeded. A chunk has a submitting child, a
 * sweep and now and then a webhook, so there are never this many.
 */
const refreshAttempts = 20;

/** Whole chunks: their contents, their records, and the records of a batch. */
export const createChunks = ({ store }: PartDependencies) => {
  /**
   * Reads the record before the payouts. A writer with an outdated version fails and reads again. So the final record was added
   * up from payouts read after every earlier writer had finished.
   */
  const readChunk: PayoutLedger['readChunk'] = async (batchId, chunk): Promise<ChunkContents | undefined> => {
    const record = await store.read(keys.chunk(batchId, chunk), readChunkRecord);
    if (record === undefined) return undefined;
    const pk = partitions.chunk(batchId, chunk);
    // Calls sort before payouts, so one query of the whole partition reads both.
    const items = await Array.fromAsync(store.query({ pk, from: sortPrefixes.call, prefix: sortPrefixes.payout }));
    const { payouts = [], calls = [] } = Object.groupBy(items, (item) =>
      String(item['sk']).startsWith(sortPrefixes.call) ? 'calls' : 'payouts',
    );
    return { record, payouts: payouts.map(readPayout), calls: calls.map(readCall) };
  };

  /**
   * Undefined when someone else has written the record since it was read. Writes nothing when nothing changed. Writes a move even
   * when the sums stay equal: someone may have read the payouts before the move, and must not write after it.
   */
  const write = async (
    { record, payouts: found }: CountedChunk,
    moved: readonly Payout[],
  ): Promise<CountedChunk | undefined> => {
    const payouts = withMoved(found, moved);
    const { proofsGivenUp: _given, lastHeldAt: _held, ...kept } = record;
    const after: ChunkRecord = { ...kept, ...addUp(record.currency, payouts) };
    if (isDeepStrictEqual(after, record) && isDeepStrictEqual(payouts, found)) return { record, payouts };
    const changed = { ...after, version: record.version + 1 };
    const key = keys.chunk(record.batchId, record.chunk);
    const result = await store.update(key, setting(chunkChanges(changed)), equals('version', record.version));
    return result.kind === 'written' ? { record: changed, payouts } : undefined;
  };

  const refresh = async (batchId: string, chunk: number): Promise<CountedChunk | undefined> => {
    for (let attempt = 1; attempt <= refreshAttempts; attempt += 1) {
      const contents = await readChunk(batchId, chunk);
      if (contents === undefined) return undefined;
      const counted = await write(contents, []);
      if (counted !== undefined) return counted;
    }
    throw new Error(`chunk_record_contended: ${batchId} ${chunk}`);
  };

  const refreshChunk: PayoutLedger['refreshChunk'] = async (batchId, chunk) => (await refresh(batchId, chunk))?.record;

  const recount: PayoutLedger['recount'] = async (contents, moved = []) => {
    const { batchId, chunk } = contents.record;
    return (await write(contents, moved)) ?? (await refresh(batchId, chunk)) ?? contents;
  };

  const listChunks: PayoutLedger['listChunks'] = (batchId) =>
    store.list(partitions.batch(batchId), sortPrefixes.chunk, readChunkRecord);

  return { readChunk, recount, refreshChunk, listChunks };
};
