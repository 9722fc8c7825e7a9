import type { Batch } from '../../domain/batch/batch.ts';
import { compareDecimals } from '../../domain/money/decimal.ts';
import type { PayoutLedger, WantedPayouts } from '../../ports/ledger/payout-ledger.ts';
import type { WalkResult } from '../payouts/payout-walk.ts';
import { firstPlace, pageOf, walkPayouts } from '../payouts/payout-walk.ts';
import type { SearchCursor } from '../table/cursors.ts';
import { payoutCursor, searchCursor } from '../table/cursors.ts';
import { batchIdOfCreatedAt } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { batchesByDay } from './batches-by-day.ts';

/**
 * Limit on reads of chunks, chunk records and batches in one request. 200 is 20,000 payouts: some seconds of the gateway's 29.
 */
const mostLooks = 200;

/** True when the plan may contain a match. A preview registers no payouts. */
const mayHave = ({ currency, amount }: WantedPayouts, { mode, plan }: Batch): boolean =>
  mode === 'disburse' &&
  plan !== undefined &&
  plan.currencies.some(
    (planned) =>
      (currency === undefined || planned.currency === currency) &&
      (amount === undefined || compareDecimals(amount, planned.largestAmount.amount) <= 0),
  );

/**
 * Finds payouts batch by batch, by properties without an index, such as the amount. An index of amounts would put everyone who is
 * paid the same on a payday into one partition, and throttle their claims.
 */
export const createBatchSearch = ({ store }: PartDependencies) => {
  const looksOver = async function* (from: SearchCursor, wanted: WantedPayouts): AsyncGenerator<WalkResult> {
    const looksIn = (batchId: string, within: NonNullable<SearchCursor['within']>, at: Omit<SearchCursor, 'within'>) =>
      walkPayouts(store, { batchId, wanted, consistent: false }, within, (place) =>
        searchCursor.write({ ...at, within: place }),
      );
    const { within, quietDays: _, ...at } = from;
    if (within !== undefined && at.before !== undefined) yield* looksIn(batchIdOfCreatedAt(at.before), within, at);
    for await (const { batch, cursor } of batchesByDay(store, from, within !== undefined)) {
      if (batch !== undefined && mayHave(wanted, batch)) yield* looksIn(batch.batchId, firstPlace, cursor);
      const upTo = searchCursor.write(cursor);
      yield { payouts: [], cursorAfter: () => upTo, cursor: upTo, endsRequest: batch === undefined };
    }
  };

  const findInBatches: PayoutLedger['findInBatches'] = async ({ day, batchId, limit, cursor, ...wanted }) => {
    if (batchId === undefined) {
      const looks = looksOver(cursor === undefined ? { day } : searchCursor.read(cursor), wanted);
      return pageOf(looks, { limit, mostLooks });
    }
    const after = cursor === undefined ? firstPlace : payoutCursor.read(cursor);
    return pageOf(walkPayouts(store, { batchId, wanted, consistent: false }, after, payoutCursor.write), {
      limit,
      mostLooks,
    });
  };

  return { findInBatches };
};
