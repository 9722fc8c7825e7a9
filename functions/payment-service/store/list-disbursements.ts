import type { Rail } from '../domain/currencies.ts';
import type { Disbursement } from '../domain/disbursement.ts';
import type { DisbursementFilter, SortOrder } from '../domain/disbursement-filter.ts';
import { filedValue, fits } from '../domain/disbursement-filter.ts';
import type { ListMember } from '../domain/list-tree.ts';
import type { PageRequest } from '../domain/page.ts';
import { findAllByReference, findById } from './find-disbursement.ts';
import type { ListPath } from './keys.ts';
import { readList } from './list-reads.ts';
import type { GroupPart, ReadPorts } from './read-groups.ts';
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

function cut(all: readonly Disbursement[], { page, limit }: PageRequest): ListedDisbursements {
  return { total: all.length, docs: all.slice((page - 1) * limit, page * limit) };
}

/** Positions that follow each other in a group are read together. */
function partsOf(members: readonly ListMember[]): readonly GroupPart[] {
  const parts: { groupId: string; first: number; last: number }[] = [];
  for (const { groupId, position } of members) {
    const part = parts.at(-1);
    if (part !== undefined && part.groupId === groupId && part.last + 1 === position) part.last = position;
    else parts.push({ groupId, first: position, last: position });
  }
  return parts;
}

const read = (ports: ReadPorts, members: readonly ListMember[]): Promise<readonly Disbursement[]> =>
  readParts(ports, partsOf(members));

/** What a list can be filtered by itself: the order of last changes does not know when its members were created. */
const listFilter = ({ currencies, status, created }: DisbursementFilter, path: ListPath) => ({
  parts: currencies,
  ...(path === 'created' ? { status, came: created } : path === 'changed' ? { status } : {}),
});

/** By what the list knows of its members: only the disbursements of the page are read. */
async function countedPage(ports: ReadPorts, list: DisbursementList, path: ListPath): Promise<ListedDisbursements> {
  const { accountId, rail, sort, page } = list;
  const { descending } = sort;
  const filter = listFilter(list.filter, path);
  const { members, total } = await readList(
    ports.table,
    { accountId, list: rail },
    { order: path, descending, filter, page },
  );
  const ascending = await read(ports, descending ? members.toReversed() : members);
  return { total, docs: descending ? ascending.toReversed() : ascending };
}

const byLastChange = (a: Disbursement, b: Disbursement): number =>
  a.changeNumber - b.changeNumber || a.position - b.position;

/** Reads all that the list leaves, by what it knows, and cuts the page out of those that fit. */
async function searchedPage(ports: ReadPorts, list: DisbursementList, path: ListPath): Promise<ListedDisbursements> {
  const { accountId, rail, filter, sort, page } = list;
  const { members } = await readList(
    ports.table,
    { accountId, list: rail },
    {
      order: path,
      descending: false,
      filter: listFilter(filter, path),
      page: { page: 1, limit: Number.MAX_SAFE_INTEGER },
    },
  );
  const fitting = (await read(ports, members)).filter((one) => fits(filter, one));
  const ordered = sort.field === 'createdAt' ? fitting : fitting.toSorted(byLastChange);
  return cut(sort.descending ? ordered.toReversed() : ordered, page);
}

/** By id, or by a reference that can be used once: at most one, but for what a sandbox was told to make twice. */
async function singlePage(ports: ReadPorts, list: DisbursementList): Promise<ListedDisbursements> {
  const { accountId, rail, filter, sort, page } = list;
  const found =
    filter.disbursementId === undefined
      ? await findAllByReference(ports.table, accountId, filter.reference ?? '')
      : [(await findById(ports.table, accountId, filter.disbursementId))?.disbursement];
  const own = found.flatMap((one) => (one !== undefined && one.rail === rail && fits(filter, one) ? [one] : []));
  const ordered = sort.field === 'createdAt' ? own : own.toSorted(byLastChange);
  return cut(sort.descending ? ordered.toReversed() : ordered, page);
}

/**
 * One page of a list. A page is stable while new disbursements come in ascending order of creation.
 *
 * @param ports `reusableCryptoReferences` says that a reference may stand for several, so that all must be searched
 */
export async function listDisbursements(
  ports: ReadPorts & { readonly reusableCryptoReferences: boolean },
  list: DisbursementList,
): Promise<ListedDisbursements> {
  const { filter, sort, rail } = list;
  const severalByReference = rail === 'crypto' && ports.reusableCryptoReferences;
  if (filter.disbursementId !== undefined || (filter.reference !== undefined && !severalByReference)) {
    return await singlePage(ports, list);
  }
  const value = rail === 'crypto' ? filedValue(filter) : undefined;
  if (value !== undefined) {
    const isCounted = value.isAll && sort.field === 'createdAt';
    return await (isCounted ? countedPage : searchedPage)(ports, list, value.path);
  }
  if (sort.field === 'createdAt') return await countedPage(ports, list, 'created');
  return filter.created === undefined
    ? await countedPage(ports, list, 'changed')
    : await searchedPage(ports, list, 'created');
}
