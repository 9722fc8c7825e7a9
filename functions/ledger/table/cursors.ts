import * as z from 'zod';
import { InvalidCursor } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';

/** Writes and reads a cursor, which is opaque to clients: JSON in base64url. */
const cursorOf = <Cursor extends object>(schema: () => z.ZodType<Cursor>) => ({
  write: (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url'),
  /** @throws InvalidCursor for a text that no list of this kind returned */
  read: (text: string): Cursor => {
    try {
      return schema().parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    } catch {
      throw new InvalidCursor('cursor_invalid');
    }
  },
});

const ofBatches = once(() =>
  z.strictObject({
    /** A UTC day that exists in the calendar. */
    day: z.iso.date(),
    before: z.string().min(1).max(200).exactOptional(),
    /** Consecutive days without a batch so far. */
    quietDays: z.int().min(0).max(10_000).exactOptional(),
  }),
);
export type BatchCursor = z.infer<ReturnType<typeof ofBatches>>;
/** Continues a list of batches at this day, before this batch. */
export const batchCursor = cursorOf(ofBatches);

/** Continues a timeline at this line, toward older ones. */
export const lineCursor = cursorOf(once(() => z.strictObject({ at: z.string().max(100) })));

/** The most rows, and so chunks, of a file. A larger number is not a place in any list. */
const largestNumber = 1_000_000;

const ofPayouts = once(() =>
  z.strictObject({
    chunk: z.int().min(1).max(largestNumber),
    row: z.int().min(0).max(largestNumber),
  }),
);
export type PayoutCursor = z.infer<ReturnType<typeof ofPayouts>>;
/** Continues a list of payouts after this row of this chunk. */
export const payoutCursor = cursorOf(ofPayouts);

const ofDestinations = once(() =>
  ofPayouts().extend({
    batchId: z.string().min(1).max(100),
    /** The payout has the destination's former hash. */
    isFormer: z.literal(true).exactOptional(),
  }),
);
export type DestinationCursor = z.infer<ReturnType<typeof ofDestinations>>;
/** Continues a search for a destination after this payout. */
export const destinationCursor = cursorOf(ofDestinations);

const ofSearches = once(() => ofBatches().extend({ within: ofPayouts().exactOptional() }));
export type SearchCursor = z.infer<ReturnType<typeof ofSearches>>;
/** Continues a search through batches: first after `within` in the batch that `before` names, then before that batch. */
export const searchCursor = cursorOf(ofSearches);
