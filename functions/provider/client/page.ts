import * as z from 'zod';
import { informative, integer } from '../wire-values.ts';

/**
 * The page envelope of lists. A record that is not as documented is `null`: one odd record must not hide the others of its
 * page. Who needs every record (is a reference used twice?) has to look for nulls.
 */
export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    docs: z.array(record.nullable().catch(null)),
    page: integer,
    totalPages: integer,
    limit: informative(integer),
    offset: informative(integer),
    totalDocs: informative(integer),
    /** The fiat disbursement list tells the total under this name too. */
    totalItems: informative(integer),
    pagingCounter: informative(integer),
    hasPrevPage: informative(z.boolean()),
    hasNextPage: informative(z.boolean()),
    /** 0 or null when there is none. */
    prevPage: informative(integer),
    nextPage: informative(integer),
  });

/** Query parameters that every list has. */
export const pageQuery = {
  page: z.int().min(1).optional(),
  limit: z.int().min(1).optional(),
  /** `createdAt` or `updatedAt`; `-` before it reverses. */
  sort: z.string().optional(),
};

/** An entry of an activity history. */
export const activity = z.object({
  activity: informative(z.string()),
  status: informative(z.string()),
  description: informative(z.string()),
  updatedAt: informative(z.string()),
});
