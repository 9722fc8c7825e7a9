import * as z from 'zod';
import type { PageRequest, SortOrder } from '../domain/lists/page.ts';
import { pageEnvelope } from '../domain/lists/page.ts';
import { Refused } from '../domain/refused.ts';
import { RefusedWith } from '../http/answers.ts';
import { oneOf } from '../http/request-fields.ts';
import type { PaymentServiceSettings } from '../settings.ts';
import { largestPage } from '../settings.ts';
import type { ReadPage } from '../store/lists/read-list.ts';
import { ListInUse } from '../store/lists/read-list.ts';

/** A whole number from 1. The service's settings may allow less than `most`. */
const whole = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .meta({ wire: { type: 'integer', minimum: 1, maximum: most } })
    .transform((digits) => Number.parseInt(digits, 10));

/** The sort field; `-` reverses the order. */
export const sortWord = oneOf(['createdAt', '-createdAt', 'updatedAt', '-updatedAt']);

/** The query parameters of both disbursement lists. */
export const listQuery = {
  page: whole(999_999_999).optional(),
  limit: whole(largestPage).optional(),
  sort: sortWord.default('createdAt'),
  disbursementId: z.string().optional(),
};

/** The parameters of a list that ask for one of its pages. */
export type AskedPage = Pick<z.output<z.ZodObject<typeof listQuery>>, 'page' | 'limit' | 'sort'>;

const sortOrder = (sort: AskedPage['sort']): SortOrder => ({
  order: sort.endsWith('createdAt') ? 'created' : 'changed',
  descending: sort.startsWith('-'),
});

/**
 * Reads the requested page. Refuses a limit above the maximum, because reducing it would skip records silently, and answers 503
 * for a list that changes during every read.
 */
export const readPage = async <Item, Shown>(
  { defaultPageSize, maximumPageSize }: PaymentServiceSettings,
  { page = 1, limit = Math.min(defaultPageSize, maximumPageSize), sort }: AskedPage,
  read: (wanted: { readonly page: PageRequest; readonly sort: SortOrder }) => Promise<ReadPage<Item>>,
  show: (item: Item) => Shown,
) => {
  if (limit > maximumPageSize) return new Refused(`limit must be at most ${maximumPageSize}`);
  try {
    const { docs, total } = await read({ page: { page, limit }, sort: sortOrder(sort) });
    return { docs: docs.map(show), ...pageEnvelope({ page, limit }, total) };
  } catch (error) {
    if (error instanceof ListInUse) return new RefusedWith(503, 'The list is in use, try again');
    throw error;
  }
};

const count = z.int().min(0);
const neighbor = z.int().min(1).nullable();

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
    prevPage: neighbor,
    nextPage: neighbor,
  });

/** The additional field of the fiat disbursement list. */
export const totalItems = { totalItems: count.meta({ description: 'Equals totalDocs.' }) };
