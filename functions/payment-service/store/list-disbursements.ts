import type { Rail } from '../domain/currencies.ts';
import type { Disbursement } from '../domain/disbursement.ts';
import type { DisbursementFilter, SortOrder } from '../domain/disbursement-filter.ts';
import { fits, fitsAsGroup, isOfGroupsAndStatus } from '../domain/disbursement-filter.ts';
import type { PageRequest } from '../domain/page.ts';
import { sequenceWindow, sourcesOfPage } from '../domain/page.ts';
import { readCount } from './counts.ts';
import type { DirectoryEntry } from './directory.ts';
import { allGroups, groupsInWindow } from './directory.ts';
import { findById, findByReference } from './find-disbursement.ts';
import type { ReadPorts } from './read-groups.ts';
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

const wholeGroup = ({ groupId, count }: DirectoryEntry) => ({ groupId, first: 0, last: count - 1 });

function cut(all: readonly Disbursement[], { page, limit }: PageRequest): ListedDisbursements {
  return { total: all.length, docs: all.slice((page - 1) * limit, page * limit) };
}

/** All of a rail, or all of a currency: the page's place follows from its number, and nothing else is read. */
async function numberedPage(ports: ReadPorts, list: DisbursementList, currency: string | undefined) {
  const { accountId, rail, page, sort } = list;
  const count = await readCount(ports.table, accountId, rail);
  const total = currency === undefined ? count.total : (count.byCurrency[currency] ?? 0);
  const window = sequenceWindow(page, total, sort.descending);
  if (window.last < window.first) return { total, docs: [] };
  const groups = await groupsInWindow(ports.table, { accountId, rail, currency }, window);
  const docs = await readParts(
    ports,
    groups.map(({ groupId, firstSequence, count: size }) => ({
      groupId,
      first: Math.max(0, window.first - firstSequence),
      last: Math.min(size - 1, window.last - firstSequence),
    })),
  );
  return { total, docs: sort.descending ? docs.toReversed() : docs };
}

/** By status, currency or date: groups tell how many of their disbursements fit, and only those of the page are read. */
async function countedPage(ports: ReadPorts, list: DisbursementList): Promise<ListedDisbursements> {
  const { filter, page, sort } = list;
  const groups = (await allGroups(ports.table, list.accountId, list.rail)).filter((one) => fitsAsGroup(filter, one));
  const ordered = sort.descending ? groups.toReversed() : groups;
  const { status } = filter;
  const counted = sourcesOfPage(page, ordered, (one) => (status === undefined ? one.count : one.withStatus(status)));
  const read = await readParts(ports, counted.touched.map(wholeGroup));
  const byGroup = Map.groupBy(read, (one) => one.groupId);
  const fitting = counted.touched.flatMap(({ groupId }) => {
    const own = (byGroup.get(groupId) ?? []).filter((one) => fits(filter, one));
    return sort.descending ? own.toReversed() : own;
  });
  return { total: counted.total, docs: fitting.slice(counted.skip, counted.skip + page.limit) };
}

/** By anything that only a disbursement itself tells, or by the last change: reads every group that may hold one. */
async function searchedPage(ports: ReadPorts, list: DisbursementList): Promise<ListedDisbursements> {
  const { filter, sort, page } = list;
  const { status } = filter;
  const groups = (await allGroups(ports.table, list.accountId, list.rail)).filter(
    (one) => fitsAsGroup(filter, one) && (status === undefined || one.withStatus(status) > 0),
  );
  const fitting = (await readParts(ports, groups.map(wholeGroup))).filter((one) => fits(filter, one));
  const ordered =
    sort.field === 'createdAt'
      ? fitting
      : fitting.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : 0));
  return cut(sort.descending ? ordered.toReversed() : ordered, page);
}

/** By id, or by a reference that can be used once: at most one. */
async function singlePage(ports: ReadPorts, list: DisbursementList): Promise<ListedDisbursements> {
  const { accountId, rail, filter, page } = list;
  const found =
    filter.disbursementId === undefined
      ? await findByReference(ports.table, accountId, filter.reference ?? '')
      : await findById(ports.table, accountId, filter.disbursementId);
  const one = found?.disbursement;
  return cut(one !== undefined && one.rail === rail && fits(filter, one) ? [one] : [], page);
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
  if (sort.field === 'updatedAt' || !isOfGroupsAndStatus(filter)) return await searchedPage(ports, list);
  const { currencies } = filter;
  const isNumbered = filter.status === undefined && filter.created === undefined;
  if (isNumbered && currencies === undefined) return await numberedPage(ports, list, undefined);
  if (isNumbered && currencies?.length === 1) return await numberedPage(ports, list, currencies[0]);
  return await countedPage(ports, list);
}
