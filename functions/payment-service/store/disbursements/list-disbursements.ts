import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../domain/disbursements/disbursement-filter.ts';
import { filedValues, fits } from '../../domain/disbursements/disbursement-filter.ts';
import type { PageRequest, SortOrder } from '../../domain/lists/page.ts';
import type { ListMember, ListPage } from '../../domain/lists/tree.ts';
import type { Rail } from '../../domain/money/currencies.ts';
import type { ReadPorts } from '../get-all.ts';
import type { ListOrder } from '../keys.ts';
import { readList } from '../lists/reads.ts';
import { searchList } from '../lists/search.ts';
import { readWholePage } from '../lists/whole-page.ts';
import { findAllByReference, findById } from './find-disbursement.ts';
import type { GroupPart } from './read-groups.ts';
import { readParts } from './read-groups.ts';

export interface DisbursementList {
  readonly accountId: string;
  readonly rail: Rail;
  readonly filter: DisbursementFilter;
  readonly sort: SortOrder;
  readonly page: PageRequest;
}

export interface ListedDisbursements {
  readonly docs: readonly Disbursement[];
  readonly total: number;
}

const cut = (all: readonly Disbursement[], { page, limit }: PageRequest): ListedDisbursements => ({
  total: all.length,
  docs: all.slice((page - 1) * limit, page * limit),
});

/** Positions that follow each other in a group are read together. */
const partsOf = (members: readonly ListMember[]): readonly GroupPart[] => {
  const parts: { groupId: string; first: number; last: number }[] = [];
  for (const { groupId, position } of members) {
    const part = parts.at(-1);
    if (part !== undefined && part.groupId === groupId && part.last + 1 === position) part.last = position;
    else parts.push({ groupId, first: position, last: position });
  }
  return parts;
};

const read = (ports: ReadPorts, members: readonly ListMember[]): Promise<readonly Disbursement[]> =>
  readParts(ports, partsOf(members));

const byLastChange = (a: Disbursement, b: Disbursement): number =>
  a.changeNumber - b.changeNumber || a.position - b.position;

/** What changed between finding the members of a page and reading them is shown as it is now, and where it belongs now. */
const readPage = async (
  ports: ReadPorts,
  { members, total }: ListPage,
  { field, descending }: SortOrder,
): Promise<ListedDisbursements> => {
  const found = await read(ports, descending ? members.toReversed() : members);
  const ascending = field === 'createdAt' ? found : found.toSorted(byLastChange);
  return { total, docs: descending ? ascending.toReversed() : ascending };
};

/** By what the counts of the list know. */
const countedPage = async (
  ports: ReadPorts,
  list: DisbursementList,
  order: ListOrder,
): Promise<ListedDisbursements> => {
  const { accountId, rail, filter, sort, page } = list;
  const counted = await readList(
    ports.table,
    { accountId, list: rail },
    {
      order,
      descending: sort.descending,
      filter: {
        parts: filter.currencies,
        status: filter.status,
        came: order === 'created' ? filter.created : undefined,
      },
      page,
    },
  );
  return await readPage(ports, counted, sort);
};

/** By what only looking through the list shows. */
const searchedPage = async (
  ports: ReadPorts,
  list: DisbursementList,
  order: ListOrder,
): Promise<ListedDisbursements> => {
  const { accountId, rail, filter, sort, page } = list;
  const { currencies: parts, status, created } = filter;
  const values = filedValues(filter);
  const search = { values, parts, status, created, order, descending: sort.descending, page };
  return await readPage(ports, await searchList(ports, { accountId, list: rail }, search), sort);
};

/** By hash: at most one has it, and had none before it was sent. */
const pageByHash = async (ports: ReadPorts, list: DisbursementList): Promise<ListedDisbursements> => {
  const { txHash } = list.filter;
  const { docs } = await searchedPage(
    ports,
    { ...list, filter: { txHash }, page: { page: 1, limit: list.page.limit } },
    'created',
  );
  return cut(
    docs.filter((one) => fits(list.filter, one)),
    list.page,
  );
};

/** By id, or by a reference that can be used once: at most one, but for what a sandbox was told to make twice. */
const singlePage = async (ports: ReadPorts, list: DisbursementList): Promise<ListedDisbursements> => {
  const { accountId, rail, filter, sort, page } = list;
  const found =
    filter.disbursementId === undefined
      ? await findAllByReference(ports.table, accountId, filter.reference ?? '')
      : [(await findById(ports.table, accountId, filter.disbursementId))?.disbursement];
  const own = found.flatMap((one) => (one !== undefined && one.rail === rail && fits(filter, one) ? [one] : []));
  const ordered = sort.field === 'createdAt' ? own : own.toSorted(byLastChange);
  return cut(sort.descending ? ordered.toReversed() : ordered, page);
};

/**
 * One page of a list. A page is stable while new disbursements come in ascending order of creation.
 *
 * @param ports `reusableCryptoReferences` says that a reference may stand for several, so that all must be searched
 */
export const listDisbursements = async (
  ports: ReadPorts & { readonly reusableCryptoReferences: boolean },
  list: DisbursementList,
): Promise<ListedDisbursements> => {
  const { filter, sort, rail } = list;
  const severalByReference = rail === 'crypto' && ports.reusableCryptoReferences;
  if (filter.disbursementId !== undefined || (filter.reference !== undefined && !severalByReference)) {
    return await singlePage(ports, list);
  }
  const order = sort.field === 'createdAt' ? 'created' : 'changed';
  if (filter.txHash !== undefined) return await pageByHash(ports, list);
  const isSearched = filedValues(filter).length > 0 || (filter.created !== undefined && order === 'changed');
  if (isSearched && rail !== 'crypto') throw new Error('only lists of crypto disbursements can be searched');
  const read = isSearched ? searchedPage : countedPage;
  return await readWholePage(
    ports,
    list.page,
    (one) => fits(filter, one),
    () => read(ports, list, order),
  );
};
