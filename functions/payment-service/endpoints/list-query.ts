import * as z from 'zod';
import type { PageRequest, SortOrder } from '../domain/lists/page.ts';
import type { Refused } from '../domain/refused.ts';
import { refused } from '../domain/refused.ts';
import { oneOf } from '../http/request-fields.ts';
import { largestPage } from '../settings.ts';

/** A whole number from 1. The service's settings may allow less than `most`. */
const whole = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .meta({ wire: { type: 'integer', minimum: 1, maximum: most } })
    .transform((digits) => Number.parseInt(digits, 10));

/** The sort field; `-` reverses the order. */
export const sortWord = oneOf(['createdAt', '-createdAt', 'updatedAt', '-updatedAt']);
export type Sort = z.output<typeof sortWord>;

/** The query parameters of both disbursement lists. */
export const listQuery = {
  page: whole(999_999_999).optional(),
  limit: whole(largestPage).optional(),
  sort: sortWord.default('createdAt'),
  disbursementId: z.string().optional(),
};

export const sortOrder = (sort: Sort): SortOrder => ({
  field: sort.endsWith('createdAt') ? 'createdAt' : 'updatedAt',
  descending: sort.startsWith('-'),
});

interface PageSizes {
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
}

/** The requested page. A limit above the maximum is refused; reducing it would skip records silently. */
export const requestedPage = (
  sizes: PageSizes,
  { page, limit }: { readonly page?: number | undefined; readonly limit?: number | undefined },
): { readonly kind: 'page'; readonly page: PageRequest } | Refused => {
  const size = limit ?? sizes.defaultPageSize;
  return size > sizes.maximumPageSize
    ? refused(`limit must be at most ${sizes.maximumPageSize}`)
    : { kind: 'page', page: { page: page ?? 1, limit: size } };
};

const count = z.int().min(0);
const neighbour = z.int().min(1).nullable();

/** A page of a list, and its position in the list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    docs: z.array(item),
    offset: count.meta({ description: 'The number of records before this page.' }),
    page: z.int().min(1),
    limit: z.int().min(1),
    totalPages: z.int().min(1).meta({ description: 'An empty list has one empty page.' }),
    totalDocs: count,
    pagingCounter: z.int().min(1).meta({ description: 'The number of the page’s first record, from 1.' }),
    hasPrevPage: z.boolean(),
    hasNextPage: z.boolean(),
    prevPage: neighbour,
    nextPage: neighbour,
  });

/** The additional field of the fiat disbursement list. */
export const totalItems = { totalItems: count.meta({ description: 'Equals totalDocs.' }) };
