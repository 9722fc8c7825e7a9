import { given } from '../../domain/given.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { destinationCursor } from '../table/cursors.ts';
import type { Key } from '../table/keys.ts';
import { keys, placeOfPayoutKey } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { ledgerTable } from '../table/table.ts';
import { readPayout } from './payout-codec.ts';
import { isWanted } from './payout-walk.ts';

/** The most payouts examined in one request, matching or not: three pages of the index, and three batch reads. */
const mostLookedAt = 300;
const keysPerPage = 100;

type Wanted = Parameters<PayoutLedger['findByDestination']>[0];

/** Finds the payouts of one recipient in all batches. */
export const createDestinationSearch = ({ store }: PartDependencies) => {
  const { partitionKey, sortKey } = ledgerTable.indexes.payoutsByDestination;

  const keysAfter = ({ destinationHash, batchId, cursor }: Wanted) => {
    const after = cursor === undefined ? undefined : destinationCursor.read(cursor);
    return store.queryIndex({
      index: 'payoutsByDestination',
      of: destinationHash,
      ...given({
        at: batchId,
        after: after && {
          ...keys.payout(after.batchId, after.chunk, after.row),
          [partitionKey]: destinationHash,
          [sortKey]: after.batchId,
        },
      }),
      newestFirst: true,
      pageSize: keysPerPage,
    });
  };

  /**
   * Payouts in the order of the keys. Undefined when the index knows a payout that an eventually consistent read does not show
   * yet.
   */
  const payoutsOf = async (found: readonly Key[]): Promise<readonly (Payout | undefined)[]> => {
    const items = await store.getMany(found, { consistent: false });
    const bySortKey = new Map(items.map((item) => [`${item['pk']} ${item['sk']}`, readPayout(item)]));
    return found.map(({ pk, sk }) => bySortKey.get(`${pk} ${sk}`));
  };

  const findByDestination: PayoutLedger['findByDestination'] = async (wanted) => {
    const items: Payout[] = [];
    let lookedAt = 0;
    let last: Key | undefined;
    const goOnAfter = (key: Key) => ({ items, cursor: destinationCursor.write(placeOfPayoutKey(key)) });
    /** Returns the page once there are enough payouts. */
    const take = async (page: readonly Key[]) => {
      for (const [index, payout] of (await payoutsOf(page)).entries()) {
        // Examines one more than the limit, so that a cursor leads to something.
        if (last !== undefined && (items.length === wanted.limit || lookedAt === mostLookedAt)) return goOnAfter(last);
        lookedAt++;
        last = page[index];
        if (payout?.destinationHash === wanted.destinationHash && isWanted(wanted, payout)) items.push(payout);
      }
      return undefined;
    };
    let page: Key[] = [];
    for await (const item of keysAfter(wanted)) {
      page.push({ pk: String(item['pk']), sk: String(item['sk']) });
      if (page.length < keysPerPage) continue;
      const enough = await take(page);
      if (enough !== undefined) return enough;
      page = [];
    }
    return (await take(page)) ?? { items };
  };

  return { findByDestination };
};
