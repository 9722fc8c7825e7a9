import type { ChunkRecord } from '../../domain/batch/chunk.ts';
import { compareDecimals } from '../../domain/money/decimal.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { openContradictions } from '../../domain/payout/payout.ts';
import type { Page } from '../../ports/ledger/ledger.ts';
import type { WantedPayouts } from '../../ports/ledger/payout-ledger.ts';
import type { PayoutCursor } from '../table/cursors.ts';
import { isReferenceUnder, keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { readChunkRecord, readPayout } from './payout-codec.ts';

/** Chunk records per read while looking for the next chunk. */
const chunkRecordsPerRead = 100;

/** Before a batch's first payout. */
export const firstPlace: PayoutCursor = { chunk: 1, row: 0 };

/** The payouts of one read, in order, and the cursors for the next request. */
export interface WalkResult {
  readonly payouts: readonly Payout[];
  readonly cursorAfter: (payout: Payout) => string;
  /** The cursor after everything that was read. */
  readonly cursor: string;
  /** Ends the request, although there may be more. */
  readonly endsRequest?: boolean;
}

/** True when a payout matches the search. */
export const isWanted = (wanted: WantedPayouts, payout: Payout): boolean => {
  const { status, contradicted, proven, currency, amount, referencePrefix } = wanted;
  return (
    (status === undefined || payout.status === status) &&
    (!contradicted || openContradictions(payout).length > 0) &&
    (!proven || payout.proof !== undefined) &&
    (currency === undefined || payout.amount.currency === currency) &&
    (amount === undefined || compareDecimals(payout.amount.amount, amount) === 0) &&
    (referencePrefix === undefined || isReferenceUnder(referencePrefix, payout.reference))
  );
};

/** True when a chunk's record shows that the chunk may contain a match. */
const mayHave = (
  { status, contradicted, proven, currency }: WantedPayouts,
  { tallies, contradictions, proofs, currency: ownCurrency }: ChunkRecord,
): boolean =>
  (status === undefined || tallies[status] !== undefined) &&
  (!contradicted || contradictions.payouts > 0) &&
  (!proven || proofs > 0) &&
  (currency === undefined || ownCurrency === currency);

/**
 * One page of payouts from reads. With `mostLooks` it stops there, even with fewer than `limit`, and returns a cursor, which
 * may lead to nothing. Otherwise it looks for one more payout, so that a cursor leads to something.
 */
export const pageOf = async (
  looks: AsyncIterable<WalkResult>,
  { limit, mostLooks = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly mostLooks?: number },
): Promise<Page<Payout>> => {
  const items: Payout[] = [];
  let afterLast: string | undefined;
  let looked = 0;
  for await (const { payouts, cursorAfter, cursor, endsRequest } of looks) {
    for (const payout of payouts) {
      if (afterLast !== undefined && items.length === limit) return { items, cursor: afterLast };
      items.push(payout);
      afterLast = cursorAfter(payout);
    }
    looked += 1;
    if (looked === mostLooks || endsRequest) return { items, cursor };
  }
  return { items };
};

/**
 * Walks a batch's payouts in the order of chunks and rows. Yields once per chunk that is read, and once per read of chunk
 * records. Only reads chunks whose record shows a possible match.
 */
export async function* walkPayouts(
  store: Store,
  of: { readonly batchId: string; readonly wanted: WantedPayouts; readonly consistent: boolean },
  after: PayoutCursor,
  write: (place: PayoutCursor) => string,
): AsyncGenerator<WalkResult> {
  const { batchId, wanted, consistent } = of;
  const cursorAfter = ({ chunk, row }: Payout): string => write({ chunk, row });
  const lookAfter = (chunk: number, payouts: readonly Payout[]): WalkResult => ({
    payouts,
    cursorAfter,
    cursor: write({ chunk: chunk + 1, row: 0 }),
  });
  const from = keys.chunk(batchId, after.chunk).sk;
  const pk = partitions.batch(batchId);
  let records = 0;
  const range = { pk, prefix: sortPrefixes.chunk, from, consistent, pageSize: chunkRecordsPerRead };
  for await (const item of store.query(range)) {
    const record = readChunkRecord(item);
    const { chunk } = record;
    if (mayHave(wanted, record)) {
      const first = keys.payout(batchId, chunk, chunk === after.chunk ? after.row + 1 : 0).sk;
      const rows = { pk: partitions.chunk(batchId, chunk), prefix: sortPrefixes.payout, from: first, consistent };
      const found = await Array.fromAsync(store.query(rows), readPayout);
      const matching = found.filter((payout) => isWanted(wanted, payout));
      yield lookAfter(chunk, matching);
    }
    records += 1;
    if (records % chunkRecordsPerRead === 0) yield lookAfter(chunk, []);
  }
}
