import * as z from 'zod';

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
