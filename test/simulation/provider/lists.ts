import { millionths } from './money.ts';
import { recordOf } from './records.ts';
import type { Appearance, Rail, TruePayment, Truth } from './truth.ts';

/** How the lists differ from the obvious reading. The document rules none of these out. */
export interface ListTerms {
  /** True when lists are always in order of creation. */
  readonly ignoresSort: boolean;
  readonly ignoresStatus: boolean;
  /** True when `updatedAt` keeps its first value, even for a single payment. */
  readonly freezesUpdatedAt: boolean;
  /** Milliseconds by which the lists are behind. A single payment, and a search for one, are current. */
  readonly behindMs: number;
}

/** True for lists that show a change late, or not at all until each payment is looked up. */
export const areHostile = ({ ignoresSort, ignoresStatus, freezesUpdatedAt, behindMs }: ListTerms): boolean =>
  ignoresSort || ignoresStatus || freezesUpdatedAt || behindMs > 0;

type Compare = (a: Appearance, b: Appearance) => number;

const byCreation: Compare = (a, b) => a.payment.createdAt - b.payment.createdAt;
const byChange: Compare = (a, b) => a.changedAt - b.changedAt;

/** As documented: by createdAt by default, `-` for newest first. */
const orderOf = (sort: string | null, { ignoresSort, freezesUpdatedAt }: ListTerms): Compare => {
  if (sort === null || ignoresSort) return byCreation;
  const ascending = sort.replace(/^-/, '') === 'updatedAt' && !freezesUpdatedAt ? byChange : byCreation;
  return sort.startsWith('-') ? (a, b) => ascending(b, a) : ascending;
};

export const isOneReference = ({ foldsCase }: { readonly foldsCase: boolean }, one: string, other: string): boolean =>
  one === other || (foldsCase && one.toLowerCase() === other.toLowerCase());

/** True when a lookup or search by this reference finds the payment. */
export const isCalled = (
  terms: { readonly foldsCase: boolean },
  { reference, isNameless }: TruePayment,
  asked: string,
): boolean => isNameless !== true && isOneReference(terms, reference, asked);

/** A page of one rail's payments, in the page envelope with `docs`. */
export const listPage = (
  truth: Truth,
  { lists: terms, foldsCase }: { readonly lists: ListTerms; readonly foldsCase: boolean },
  rail: Rail,
  now: number,
  query: URLSearchParams,
): object => {
  const [page, limit] = [Number(query.get('page') ?? '1'), Number(query.get('limit') ?? '10')];
  const reference = query.get('reference');
  const id = query.get('disbursementId');
  const currency = query.get('currency') ?? query.get('token');
  const status = terms.ignoresStatus ? null : query.get('status');
  const [address, amount] = [query.get('receiverAddress'), query.get('amount')];
  const isSearch = reference !== null || id !== null || address !== null;
  const all = truth
    .shown(now, isSearch ? now : now - terms.behindMs)
    .filter(({ payment }) => payment.rail === rail)
    .filter(({ payment }) => reference === null || isCalled({ foldsCase }, payment, reference))
    .filter(({ payment }) => address === null || payment.destination['walletAddress'] === address)
    .filter(({ payment }) => amount === null || payment.amount === millionths(amount))
    .filter(({ payment }) => id === null || payment.id === id)
    .filter(({ payment }) => currency === null || payment.currency === currency)
    .filter((shown) => status === null || shown.word === status)
    .toSorted(orderOf(query.get('sort'), terms));
  const totalPages = Math.max(1, Math.ceil(all.length / limit));
  const docs = all.slice((page - 1) * limit, page * limit).map((shown) => recordOf(shown, terms.freezesUpdatedAt));
  return { docs, page, limit, totalPages, totalDocs: all.length, hasNextPage: page < totalPages };
};
