import type { ChunkRecord } from '../domain/chunk.ts';
import { InvariantBroken } from '../domain/errors.ts';
import type { Payout } from '../domain/payout.ts';
import { openContradictions } from '../domain/payout.ts';
import type { PayoutId, PayoutLedger } from '../ports/payout-ledger.ts';
import type { PayoutCursor } from './cursors.ts';
import { readPayoutCursor, writePayoutCursor } from './cursors.ts';
import { keys, partitions, sortPrefixes } from './keys.ts';
import { readChunkRecord, readPayout, readReferenceHolder } from './payout-codec.ts';
import type { LedgerDependencies } from './store.ts';
import { createStore, startingWith } from './store.ts';

/** Chunk records read at a time while looking for the next chunk to list. */
const chunkRecordsPerPage = 100;

/** Finding payouts: by reference, and in order. */
export const createPayoutSearch = (
  dependencies: LedgerDependencies,
): Pick<PayoutLedger, 'listPayouts' | 'getPayoutByReference' | 'findReferences' | 'getPayouts' | 'getPayoutsOf'> => {
  const store = createStore(dependencies);

  const getPayout = async (batchId: string, chunk: number, row: number): Promise<Payout | undefined> => {
    const item = await store.get(keys.payout(batchId, chunk, row));
    return item === undefined ? undefined : readPayout(item);
  };

  const getPayoutByReference: PayoutLedger['getPayoutByReference'] = async (reference) => {
    const item = await store.get(keys.reference(reference));
    if (item === undefined) return undefined;
    const { batchId, chunk, row } = readReferenceHolder(item);
    const payout = await getPayout(batchId, chunk, row);
    // Both were written in one transaction and neither is ever deleted.
    if (payout === undefined) throw new InvariantBroken(`reference_without_payout: ${batchId} ${chunk} ${row}`);
    return payout;
  };

  const findReferences: PayoutLedger['findReferences'] = async (references, { mayBeOld } = { mayBeOld: false }) => {
    const byPartition = Map.groupBy(new Set(references), (reference) => keys.reference(reference).pk);
    const wanted = [...byPartition.values()].flatMap(([reference]) =>
      reference === undefined ? [] : keys.reference(reference),
    );
    const items = await store.getMany(wanted, { attributes: ['pk', 'batchId', 'chunk', 'row'], consistent: !mayBeOld });
    const holders = new Map<string, PayoutId>();
    for (const item of items) {
      for (const reference of byPartition.get(String(item['pk'])) ?? [])
        holders.set(reference, readReferenceHolder(item));
    }
    return holders;
  };

  const getPayouts: PayoutLedger['getPayouts'] = async (ids, { mayBeOld } = { mayBeOld: false }) => {
    // Two references in different letter cases name one payout, and a request may name an item once.
    const wanted = new Map(
      ids.map(({ batchId, chunk, row }) => [`${batchId} ${chunk} ${row}`, keys.payout(batchId, chunk, row)]),
    );
    const items = await store.getMany([...wanted.values()], { consistent: !mayBeOld });
    return items.map(readPayout);
  };

  const getPayoutsOf: PayoutLedger['getPayoutsOf'] = (batchId, chunk) => {
    const range = { pk: partitions.chunk(batchId, chunk), ...startingWith(sortPrefixes.payout), consistent: false };
    return Array.fromAsync(store.query(range), readPayout);
  };

  type PayoutQuery = Parameters<PayoutLedger['listPayouts']>[0];

  /** Whether a chunk's counts say that there is something to find. */
  const mayHave = (
    { status, contradicted, proven }: PayoutQuery,
    { tallies, contradictions, proofs }: ChunkRecord,
  ): boolean =>
    (status === undefined || tallies[status] !== undefined) &&
    (!contradicted || contradictions.payouts > 0) &&
    (!proven || proofs > 0);

  const isWanted = ({ status, contradicted, proven }: PayoutQuery, payout: Payout): boolean =>
    (status === undefined || payout.status === status) &&
    (!contradicted || openContradictions(payout).length > 0) &&
    (!proven || payout.proof !== undefined);

  /** Only chunks with a record are read, and of those only the ones whose counts say there is something to find. */
  const payoutsAfter = async function* (after: PayoutCursor, query: PayoutQuery): AsyncGenerator<Payout> {
    const { batchId, chunks } = query;
    const records = store.query({
      pk: partitions.batch(batchId),
      from: keys.chunk(batchId, after.chunk).sk,
      to: keys.chunk(batchId, Math.max(chunks, after.chunk)).sk,
      pageSize: chunkRecordsPerPage,
    });
    for await (const item of records) {
      const record = readChunkRecord(item);
      if (!mayHave(query, record)) continue;
      const { chunk } = record;
      const from = keys.payout(batchId, chunk, chunk === after.chunk ? after.row + 1 : 0).sk;
      const { to } = startingWith(sortPrefixes.payout);
      for await (const found of store.query({ pk: partitions.chunk(batchId, chunk), from, to })) {
        const payout = readPayout(found);
        if (isWanted(query, payout)) yield payout;
      }
    }
  };

  const listPayouts: PayoutLedger['listPayouts'] = async (query) => {
    const after = query.cursor === undefined ? { chunk: 1, row: 0 } : readPayoutCursor(query.cursor);
    const items: Payout[] = [];
    for await (const payout of payoutsAfter(after, query)) {
      // One more than asked for is read, so that a cursor always leads to something.
      if (items.length === query.limit) return { items, cursor: cursorAfter(items) };
      items.push(payout);
    }
    return { items };
  };

  const cursorAfter = (items: readonly Payout[]): string => {
    const last = items.at(-1);
    if (last === undefined) throw new InvariantBroken('payout_list_without_limit');
    return writePayoutCursor({ chunk: last.chunk, row: last.row });
  };

  return {
    listPayouts,
    getPayoutByReference,
    findReferences,
    getPayouts,
    getPayoutsOf,
  };
};
