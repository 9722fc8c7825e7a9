import { payoutKey } from '../../domain/payout/payout.ts';
import type { PayoutId, PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import { payoutCursor } from '../table/cursors.ts';
import { keys, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { readPayout, readReferenceHolder } from './payout-codec.ts';
import { firstPlace, pageOf, walkPayouts } from './payout-walk.ts';

/** Finds payouts by reference, and lists them in order. */
export const createPayoutSearch = ({ store }: PartDependencies) =>
  ({
    getPayoutByReference: async (reference) => {
      const holder = await store.read(keys.reference(reference), readReferenceHolder);
      return holder && store.read(keys.payout(holder.batchId, holder.chunk, holder.row), readPayout);
    },

    findReferences: async (references, { mayBeOld } = { mayBeOld: false }) => {
      const byPartition = Map.groupBy(new Set(references), (reference) => keys.reference(reference).pk);
      const wanted = [...byPartition.values()].flatMap(([reference]) =>
        reference === undefined ? [] : keys.reference(reference),
      );
      const items = await store.getMany(wanted, { consistent: !mayBeOld });
      const holders = new Map<string, PayoutId>();
      for (const item of items) {
        for (const reference of byPartition.get(String(item['pk'])) ?? [])
          holders.set(reference, readReferenceHolder(item));
      }
      return holders;
    },

    getPayouts: async (ids, { mayBeOld } = { mayBeOld: false }) => {
      // Two references in different letter cases name one payout, and a request may name an item only once.
      const wanted = new Map(ids.map((id) => [payoutKey(id), keys.payout(id.batchId, id.chunk, id.row)]));
      const items = await store.getMany([...wanted.values()], { consistent: !mayBeOld });
      return items.map(readPayout);
    },

    getPayoutsOf: (batchId, chunk) =>
      store.list(partitions.chunk(batchId, chunk), sortPrefixes.payout, readPayout, false),

    listPayouts: async ({ batchId, limit, cursor, ...wanted }) => {
      const after = cursor === undefined ? firstPlace : payoutCursor.read(cursor);
      return pageOf(walkPayouts(store, { batchId, wanted, consistent: true }, after, payoutCursor.write), { limit });
    },
  }) satisfies Partial<PayoutLedger>;
