import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../domain/disbursements/disbursement-filter.ts';
import { filterValues, fits } from '../../domain/disbursements/disbursement-filter.ts';
import type { PageRequest, SortOrder } from '../../domain/lists/page.ts';
import type { ListMember, ListPage } from '../../domain/lists/tree.ts';
import type { Rail } from '../../domain/money/currencies.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { ReadPage } from '../lists/read-list.ts';
import { readList, readWholePage } from '../lists/read-list.ts';
import { searchList } from '../lists/search-list.ts';
import { getAll } from '../many-items.ts';
import type { Item, Table } from '../table.ts';
import { queryBetween } from '../table.ts';
import { groupItem, readDisbursementItem } from './disbursement-item.ts';
import { findAllByReference, findById } from './find-disbursement.ts';

/** A request for a page of one rail's disbursements. */
interface DisbursementList {
  readonly rail: Rail;
  readonly filter: DisbursementFilter;
  readonly sort: SortOrder;
  readonly page: PageRequest;
}

type ListedDisbursements = ReadPage<Disbursement>;

/** Disbursements of a group between two positions, both included, counted from 0. */
interface GroupPart {
  readonly groupId: string;
  readonly first: number;
  readonly last: number;
}

/** Parts of at most this many disbursements are read by key, together with others. Larger ones are read by a query. */
const fewKeys = 4;
const queriesAtOnce = 10;

const queryPart = (table: Table, { groupId, first, last }: GroupPart): Promise<readonly Item[]> =>
  queryBetween(table, keys.disbursement(groupId, first), keys.disbursement(groupId, last));

const queryParts = async (table: Table, parts: readonly GroupPart[]): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (let start = 0; start < parts.length; start += queriesAtOnce) {
    const some = parts.slice(start, start + queriesAtOnce);
    items.push(...(await Promise.all(some.map((part) => queryPart(table, part)))).flat());
  }
  return items;
};

const placesOf = ({ first, last }: GroupPart): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const keyOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** Reads parts of committed groups, in the order of the parts, and by position within each. */
const readParts = async (context: Context, parts: readonly GroupPart[]): Promise<readonly Disbursement[]> => {
  const isSmall = (part: GroupPart): boolean => part.last - part.first < fewKeys;
  const single = [
    // A group may have several parts here, and no key may be requested twice.
    ...[...new Set(parts.map((part) => part.groupId))].map(keys.group),
    ...parts.filter(isSmall).flatMap((part) => placesOf(part).map((place) => keys.disbursement(part.groupId, place))),
  ];
  const large = parts.filter((part) => !isSmall(part));
  const [got, queried] = await Promise.all([getAll(context, single), queryParts(context.table, large)]);
  const items = new Map([...got, ...queried].map((item) => [keyOf(item), item]));
  return parts.flatMap((part) => {
    const marker = items.get(keyOf(keys.group(part.groupId)));
    const group = marker && groupItem.parse(marker);
    if (group?.state !== 'committed') return [];
    return placesOf(part).flatMap((place) => {
      const item = items.get(keyOf(keys.disbursement(part.groupId, place)));
      return item === undefined ? [] : [readDisbursementItem(group, item)];
    });
  });
};

/** Consecutive positions of a group are read together. */
const partsOf = (members: readonly ListMember[]): readonly GroupPart[] => {
  const parts: { groupId: string; first: number; last: number }[] = [];
  for (const { groupId, position } of members) {
    const part = parts.at(-1);
    if (part !== undefined && part.groupId === groupId && part.last + 1 === position) part.last = position;
    else parts.push({ groupId, first: position, last: position });
  }
  return parts;
};

const byLastChange = (a: Disbursement, b: Disbursement): number =>
  a.changeNumber - b.changeNumber || a.position - b.position;

const sorted = (found: readonly Disbursement[], { order, descending }: SortOrder): readonly Disbursement[] => {
  const ascending = order === 'created' ? found : found.toSorted(byLastChange);
  return descending ? ascending.toReversed() : ascending;
};

/** The records of a page. One that changed after its members were found is shown in its current state and order. */
const readPage = async (
  context: Context,
  { members, total }: ListPage,
  sort: SortOrder,
): Promise<ListedDisbursements> => {
  const found = await readParts(context, partsOf(sort.descending ? members.toReversed() : members));
  return { total, docs: sorted(found, sort) };
};

const cut = (all: readonly Disbursement[], { page, limit }: PageRequest): ListedDisbursements => ({
  total: all.length,
  docs: all.slice((page - 1) * limit, page * limit),
});

/** A page that the list's counts can find. */
const countedPage = async (
  context: Context,
  { rail, filter, sort, page }: DisbursementList,
): Promise<ListedDisbursements> => {
  const { currencies: parts, status, created } = filter;
  const came = sort.order === 'created' ? created : undefined;
  const list = { accountId: context.accountId, list: rail };
  const found = await readList(context.table, list, { ...sort, filter: { parts, status, came }, page });
  return await readPage(context, found, sort);
};

/** A page filtered by values that the counts do not cover: the list is searched. */
const searchedPage = async (
  context: Context,
  { rail, filter, sort, page }: DisbursementList,
): Promise<ListedDisbursements> => {
  const { currencies: parts, status, created } = filter;
  const list = { accountId: context.accountId, list: rail };
  const search = { values: filterValues(filter), parts, status, created, ...sort, page };
  return await readPage(context, await searchList(context, list, search), sort);
};

/** A page filtered by transaction hash. At most one disbursement has it, and only once it is sent. */
const pageByHash = async (context: Context, list: DisbursementList): Promise<ListedDisbursements> => {
  const { filter, page } = list;
  const sort = { order: 'created', descending: list.sort.descending } as const;
  const search = { ...list, filter: { txHash: filter.txHash }, sort, page: { page: 1, limit: page.limit } };
  const { docs } = await searchedPage(context, search);
  return cut(
    docs.filter((one) => fits(filter, one)),
    page,
  );
};

/** A page filtered by id, or by a unique reference: at most one disbursement, unless a sandbox reused the reference. */
const singlePage = async (
  context: Context,
  { rail, filter, sort, page }: DisbursementList,
): Promise<ListedDisbursements> => {
  const found =
    filter.disbursementId === undefined
      ? await findAllByReference(context, filter.reference ?? '')
      : [(await findById(context, filter.disbursementId))?.disbursement];
  const own = found.flatMap((one) => (one !== undefined && one.rail === rail && fits(filter, one) ? [one] : []));
  return cut(sorted(own, sort), page);
};

/** One page of a list. In ascending order of creation, a page stays the same while new disbursements arrive. */
export const readDisbursementPage = async (context: Context, list: DisbursementList): Promise<ListedDisbursements> => {
  const { filter, sort, rail } = list;
  const isReferenceUnique = rail !== 'crypto' || !context.settings.reusableCryptoReferences;
  if (filter.disbursementId !== undefined || (filter.reference !== undefined && isReferenceUnique)) {
    return await singlePage(context, list);
  }
  if (filter.txHash !== undefined) return await pageByHash(context, list);
  const isSearched = filterValues(filter).length > 0 || (filter.created !== undefined && sort.order === 'changed');
  if (isSearched && rail !== 'crypto') throw new Error('only lists of crypto disbursements can be searched');
  const read = isSearched ? searchedPage : countedPage;
  return await readWholePage(
    context,
    list.page,
    (one) => fits(filter, one),
    () => read(context, list),
  );
};
