/** Which page of a list, and how many records a page has. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** By when members were created, or by when they last changed. */
export type ListOrder = 'created' | 'changed';

/** The sort order of a list. */
export interface SortOrder {
  readonly order: ListOrder;
  readonly descending: boolean;
}

/** An empty list has one empty page. A page past the end is empty, and its previous page is the one before it. */
export const pageEnvelope = ({ page, limit }: PageRequest, totalDocs: number) => {
  const offset = (page - 1) * limit;
  const totalPages = Math.max(1, Math.ceil(totalDocs / limit));
  const hasPrevPage = page > 1;
  const hasNextPage = page < totalPages;
  return {
    offset,
    page,
    limit,
    totalPages,
    totalDocs,
    pagingCounter: offset + 1,
    hasPrevPage,
    hasNextPage,
    prevPage: hasPrevPage ? page - 1 : null,
    nextPage: hasNextPage ? page + 1 : null,
  };
};

/** One page of a list that is known in full. */
export const cutPage = <T>(all: readonly T[], { page, limit }: PageRequest): readonly T[] =>
  all.slice((page - 1) * limit, page * limit);

/** A range of sequence numbers, from 1, both ends included. Empty when `last` is below `first`. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** The sequence numbers on a page, out of `total` records numbered from 1 without gaps. */
export const sequenceWindow = (request: PageRequest, total: number, descending: boolean): NumberRange => {
  const offset = (request.page - 1) * request.limit;
  return descending
    ? { first: Math.max(1, total - offset - request.limit + 1), last: total - offset }
    : { first: offset + 1, last: Math.min(total, offset + request.limit) };
};

/**
 * Given several sources in list order, each with a known number of records: the sources that a window touches, and how
 * many of their records precede the window (`skip`).
 */
export const sourcesOfPage = <T extends { readonly count: number }>(window: NumberRange, sources: readonly T[]) => {
  let total = 0;
  let skip = 0;
  const touched: T[] = [];
  for (const source of sources) {
    const from = total;
    total += source.count;
    if (total < window.first || from >= window.last || total === from) continue;
    if (touched.length === 0) skip = Math.max(0, window.first - 1 - from);
    touched.push(source);
  }
  return { touched, skip };
};
