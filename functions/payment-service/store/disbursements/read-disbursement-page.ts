import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../domain/disbursements/disbursement-filter.ts';
import { filterValues, fits } from '../../domain/disbursements/disbursement-filter.ts';
import type { PageRequest, SortOrder } from '../../domain/lists/page.ts';
import { cutPage } from '../../domain/lists/page.ts';
import type { Rail } from '../../domain/money/currencies.ts';
import type { Context } from '../context.ts';
import type { ReadPage } from '../lists/read-list.ts';
import { readList, readWholePage } from '../lists/read-list.ts';
import { searchList } from '../lists/search-list.ts';
import { findById, findByReference, readPlaces } from './find-disbursement.ts';

/** A request for a page of one rail's disbursements. */
interface DisbursementList {
  readonly rail: Rail;
  readonly filter: DisbursementFilter;
  readonly sort: SortOrder;
  readonly page: PageRequest;
}

const byLastChange = (a: Disbursement, b: Disbursement): number =>
  a.changeNumber - b.changeNumber || a.position - b.position;

const sorted = (found: readonly Disbursement[], { order, descending }: SortOrder): readonly Disbursement[] => {
  const ascending = order === 'created' ? found : found.toSorted(byLastChange);
  return descending ? ascending.toReversed() : ascending;
};

const cut = (all: readonly Disbursement[], page: PageRequest): ReadPage<Disbursement> => ({
  total: all.length,
  docs: cutPage(all, page),
});

/**
 * A page that the list's counts can find, or else by searching the list. A record that changed after its members were
 * found is shown in its current state and order.
 */
const readPage = async (
  context: Context,
  { rail, filter, sort, page }: DisbursementList,
): Promise<ReadPage<Disbursement>> => {
  const { currencies: parts, status, created } = filter;
  const list = { accountId: context.accountId, list: rail };
  const values = filterValues(filter);
  const isSearched = values.length > 0 || (created !== undefined && sort.order === 'changed');
  if (isSearched && rail !== 'crypto') throw new Error('only lists of crypto disbursements can be searched');
  const { members, total } = isSearched
    ? await searchList(context, list, { values, parts, status, created, ...sort, page })
    : await readList(context.table, list, { ...sort, filter: { parts, status, came: created }, page });
  const found = await readPlaces(context, sort.descending ? members.toReversed() : members);
  const docs = found.map(({ disbursement }) => disbursement);
  return { total, docs: sorted(docs, sort) };
};

/** A page filtered by transaction hash. At most one disbursement has it, and only once it is sent. */
const pageByHash = async (context: Context, list: DisbursementList): Promise<ReadPage<Disbursement>> => {
  const { filter, page } = list;
  const sort = { order: 'created', descending: list.sort.descending } as const;
  const search = { ...list, filter: { txHash: filter.txHash }, sort, page: { page: 1, limit: page.limit } };
  const { docs } = await readPage(context, search);
  return cut(
    docs.filter((one) => fits(filter, one)),
    page,
  );
};

/** A page filtered by id, or by a unique reference: at most one disbursement, unless a sandbox reused the reference. */
const singlePage = async (
  context: Context,
  { rail, filter, sort, page }: DisbursementList,
): Promise<ReadPage<Disbursement>> => {
  const found =
    filter.disbursementId === undefined
      ? await findByReference(context, filter.reference ?? '')
      : [(await findById(context, filter.disbursementId))?.disbursement];
  const own = found.flatMap((one) => (one !== undefined && one.rail === rail && fits(filter, one) ? [one] : []));
  return cut(sorted(own, sort), page);
};

/** One page of a list. In ascending order of creation, a page stays the same while new disbursements arrive. */
export const readDisbursementPage = async (
  context: Context,
  list: DisbursementList,
): Promise<ReadPage<Disbursement>> => {
  const { filter, rail } = list;
  const isReferenceUnique = rail !== 'crypto' || !context.settings.reusableCryptoReferences;
  if (filter.disbursementId !== undefined || (filter.reference !== undefined && isReferenceUnique)) {
    return await singlePage(context, list);
  }
  if (filter.txHash !== undefined) return await pageByHash(context, list);
  return await readWholePage(
    context,
    list.page,
    (one) => fits(filter, one),
    () => readPage(context, list),
  );
};
