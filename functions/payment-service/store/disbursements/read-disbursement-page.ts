import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../domain/disbursements/disbursement-filter.ts';
import { filterValues, fits } from '../../domain/disbursements/disbursement-filter.ts';
import type { PageRequest, SortOrder } from '../../domain/lists/page.ts';
import { cutPage } from '../../domain/lists/page.ts';
import type { Rail } from '../../domain/money/currencies.ts';
import type { Context } from '../context.ts';
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

/**
 * A page that the list's counts can find, or else by searching the list. A record that changed after its members were
 * found is shown in its current state and order.
 */
const readPage = async (context: Context, { rail, filter, sort, page }: DisbursementList) => {
  const { currencies: parts, status, created } = filter;
  const list = { ...context, list: rail };
  const values = filterValues(filter);
  const isSearched = values.length > 0 || (created !== undefined && sort.order === 'changed');
  if (isSearched && rail !== 'crypto') throw new Error('only lists of crypto disbursements can be searched');
  const { members, total } = isSearched
    ? await searchList(list, { values, parts, status, created, ...sort, page })
    : await readList(list, { ...sort, filter: { parts, status, came: created }, page });
  const found = await readPlaces(context, sort.descending ? members.toReversed() : members);
  const docs = found.map(({ disbursement }) => disbursement);
  return { total, docs: sorted(docs, sort) };
};

/**
 * The disbursements with the filter's id, unique reference or transaction hash: at most one, or two after the fault
 * `reference-twice`. Undefined when the filter has none of these.
 */
const identified = async (context: Context, list: DisbursementList): Promise<readonly Disbursement[] | undefined> => {
  const { disbursementId, reference, txHash } = list.filter;
  if (disbursementId !== undefined) {
    const found = await findById(context, disbursementId);
    return found === undefined ? [] : [found.disbursement];
  }
  const isReferenceUnique = list.rail !== 'crypto' || !context.settings.reusableCryptoReferences;
  if (reference !== undefined && isReferenceUnique) return await findByReference(context, reference);
  if (txHash === undefined) return undefined;
  const sort = { order: 'created', descending: false } as const;
  const page = { page: 1, limit: list.page.limit };
  return (await readPage(context, { ...list, filter: { txHash }, sort, page })).docs;
};

/** One page of a list. In ascending order of creation, a page stays the same while new disbursements arrive. */
export const readDisbursementPage = async (context: Context, list: DisbursementList) => {
  const { filter, rail, sort, page } = list;
  const found = await identified(context, list);
  if (found !== undefined) {
    const own = found.filter((one) => one.rail === rail && fits(filter, one));
    return { total: own.length, docs: cutPage(sorted(own, sort), page) };
  }
  return await readWholePage(
    context,
    page,
    (one) => fits(filter, one),
    () => readPage(context, list),
  );
};
