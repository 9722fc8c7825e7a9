import { InvalidCursor } from '../../domain/errors.ts';
import { given } from '../../domain/given.ts';
import type { PayoutLedger } from '../../ports/ledger/payout-ledger.ts';
import type { DestinationCursor } from '../table/cursors.ts';
import { destinationCursor } from '../table/cursors.ts';
import type { Key } from '../table/keys.ts';
import { keys, placeOfPayoutKey } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { ledgerTable } from '../table/table.ts';
import { readPayout } from './payout-codec.ts';
import type { WalkResult } from './payout-walk.ts';
import { isWanted, pageOf } from './payout-walk.ts';

const keysPerPage = 100;
/** The most pages of the index examined in one request, with one batch read each. */
const mostLooks = 3;

type Wanted = Parameters<PayoutLedger['findByDestination']>[0];

/** The payouts with one of the destination's hashes. */
interface Part {
  readonly destinationHash: string;
  readonly place: Pick<DestinationCursor, 'isFormer'>;
  readonly after?: DestinationCursor | undefined;
}

/** What is left to search. */
const partsOf = ({ destinationHash, formerHash, cursor }: Wanted): readonly Part[] => {
  const after = cursor === undefined ? undefined : destinationCursor.read(cursor);
  const former = formerHash === undefined ? [] : [{ destinationHash: formerHash, place: { isFormer: true } as const }];
  if (after?.isFormer !== true) return [{ destinationHash, place: {}, after }, ...former];
  if (former.length === 0) throw new InvalidCursor('cursor_of_another_destination');
  return former.map((part) => ({ ...part, after }));
};

/** Finds the payouts of one recipient in all batches. */
export const createDestinationSearch = ({ store }: PartDependencies) => {
  const { partitionKey, sortKey } = ledgerTable.indexes.payoutsByDestination;

  const keysAfter = ({ batchId }: Wanted, { destinationHash, after }: Part) => {
    // DynamoDB refuses to start outside the batch.
    if (after !== undefined && batchId !== undefined && after.batchId !== batchId)
      throw new InvalidCursor('cursor_of_another_batch');
    return store.queryIndex({
      index: 'payoutsByDestination',
      value: destinationHash,
      ...given({
        sortKey: batchId === undefined ? undefined : { is: batchId },
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

  /** The matching payouts of a page of keys, in their order. An index may know a payout that a read does not show yet. */
  const lookAt = async (
    wanted: Wanted,
    { destinationHash, place }: Part,
    page: readonly Key[],
    last: Key,
  ): Promise<WalkResult> => {
    const items = await store.getMany(page, { consistent: false });
    const byKey = new Map(items.map((item) => [`${item['pk']} ${item['sk']}`, readPayout(item)]));
    const payouts = page.flatMap(({ pk, sk }) => byKey.get(`${pk} ${sk}`) ?? []);
    return {
      payouts: payouts.filter((one) => one.destinationHash === destinationHash && isWanted(wanted, one)),
      cursorAfter: ({ batchId, chunk, row }) => destinationCursor.write({ batchId, chunk, row, ...place }),
      cursor: destinationCursor.write({ ...placeOfPayoutKey(last), ...place }),
    };
  };

  const looksIn = async function* (wanted: Wanted, part: Part): AsyncGenerator<WalkResult> {
    let page: Key[] = [];
    let last: Key | undefined;
    for await (const item of keysAfter(wanted, part)) {
      last = { pk: String(item['pk']), sk: String(item['sk']) };
      page.push(last);
      if (page.length < keysPerPage) continue;
      yield await lookAt(wanted, part, page, last);
      page = [];
    }
    if (last !== undefined && page.length > 0) yield await lookAt(wanted, part, page, last);
  };

  const looks = async function* (wanted: Wanted): AsyncGenerator<WalkResult> {
    for (const part of partsOf(wanted)) yield* looksIn(wanted, part);
  };

  const findByDestination: PayoutLedger['findByDestination'] = (wanted) =>
    pageOf(looks(wanted), { limit: wanted.limit, mostLooks });

  return { findByDestination };
};
