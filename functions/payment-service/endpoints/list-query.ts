import * as z from 'zod';
import type { PageRequest, SortOrder } from '../domain/lists/page.ts';
import type { Refused } from '../domain/refused.ts';
import { refused } from '../domain/refused.ts';
import { oneOf } from '../http/request-fields.ts';
import { largestPage } from '../settings.ts';

/** A whole number from 1. The service's settings may set a lower bound than `most`. */
const whole = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .meta({ wire: { type: 'integer', minimum: 1, maximum: most } })
    .transform((digits) => Number.parseInt(digits, 10));

/** What a list is sorted by; `-` reverses. */
export const sortWord = oneOf(['createdAt', '-createdAt', 'updatedAt', '-updatedAt']);
export type Sort = z.output<typeof sortWord>;

/** The query parameters that both disbursement lists share. */
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

/** The page asked for. A limit above the maximum is refused rather than cut down, which would skip records silently. */
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

/** A page of a list, and where in the list it is. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    docs: z.array(item),
    offset: count.meta({ description: 'Records before this page.' }),
    page: z.int().min(1),
    limit: z.int().min(1),
    totalPages: z.int().min(1).meta({ description: 'A list without records has one empty page.' }),
    totalDocs: count,
    pagingCounter: z.int().min(1).meta({ description: 'Number of the first record of the page, from 1.' }),
    hasPrevPage: z.boolean(),
    hasNextPage: z.boolean(),
    prevPage: neighbour,
    nextPage: neighbour,
  });

/** What the fiat disbursement list carries besides. */
export const totalItems = { totalItems: count.meta({ description: 'The same as totalDocs.' }) };
