import * as z from 'zod';
import { once } from '../../domain/once.ts';
import { amount, informative, integer, optional, received, text } from '../wire-values.ts';

/** A list whose entries become `null` where they do not match the document, so that one does not hide the others. */
const entriesOf = <T extends z.ZodType>(entry: T) => z.array(entry.nullable().catch(null));

/**
 * The page envelope of lists. A caller that needs every record (is a reference used twice?) must check for nulls.
 */
export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    docs: entriesOf(record),
    page: integer(),
    totalPages: integer(),
    totalDocs: informative(integer()),
    limit: informative(integer()),
  });

/** A list as `entriesOf` reads it. It is unreadable itself when it has entries and none is readable. */
export const readableOf = <T extends z.ZodType>(entry: T) =>
  entriesOf(entry).refine(
    (entries) => entries.length === 0 || entries.some((one) => one !== null),
    'no entry is readable',
  );

/** The fields that the disbursements of both rails have alike. */
export const disbursementFields = once(() => ({
  disbursementId: z.string().min(1),
  amount: amount(),
  feeAmount: optional(amount()),
  status: z.string().min(1),
  activityHistory: informative(z.array(activity())),
  reference: optional(z.string()),
  createdAt: text(),
  updatedAt: text(),
}));

/** Query parameters that every list has. */
export const pageQuery = once(() => ({
  page: z.int().min(1).optional(),
  limit: z.int().min(1).optional(),
  /** `createdAt` or `updatedAt`; `-` before it reverses. */
  sort: z.string().optional(),
}));

/** An entry of an activity history. */
export const activity = received(() => ({ status: text(), description: text() }));
