import * as z from 'zod';
import { InvalidCursor } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';

/** A UTC day that exists in the calendar. */
const day = once(() => z.iso.date());

/** Continues a list of batches at this day, before this batch. */
const batchCursor = once(() =>
  z.strictObject({
    day: day(),
    before: z.string().min(1).max(200).exactOptional(),
    /** Consecutive days without a batch so far. */
    quietDays: z.int().min(0).max(10_000).exactOptional(),
  }),
);
export type BatchCursor = z.infer<ReturnType<typeof batchCursor>>;

/** Continues a timeline at this event, towards older ones. */
const eventCursor = once(() => z.strictObject({ at: z.string().max(100) }));
type EventCursor = z.infer<ReturnType<typeof eventCursor>>;

/** The most rows, and so chunks, of a file. A larger number is not a place in any list. */
const largestNumber = 1_000_000;

/** Continues a list of payouts after this row of this chunk. */
const payoutCursor = once(() =>
  z.strictObject({
    chunk: z.int().min(1).max(largestNumber),
    row: z.int().min(0).max(largestNumber),
  }),
);
export type PayoutCursor = z.infer<ReturnType<typeof payoutCursor>>;

/** Continues a search for a destination after this payout. */
const destinationCursor = once(() => payoutCursor().extend({ batchId: z.string().min(1).max(100) }));
type DestinationCursor = z.infer<ReturnType<typeof destinationCursor>>;

/** Continues a search through batches: first after `within` in the batch that `before` names, then before that batch. */
const searchCursor = once(() =>
  batchCursor().extend({
    within: payoutCursor().exactOptional(),
  }),
);
export type SearchCursor = z.infer<ReturnType<typeof searchCursor>>;

/** Opaque to clients: JSON in base64url. */
const written = (cursor: object): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** Throws InvalidCursor for a text that no list of this kind returned. */
const read =
  <Cursor>(schema: () => z.ZodType<Cursor>) =>
  (text: string): Cursor => {
    try {
      return schema().parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    } catch {
      throw new InvalidCursor('cursor_invalid');
    }
  };

export const writeBatchCursor = (cursor: BatchCursor): string => written(cursor);
export const readBatchCursor = read(batchCursor);
export const writeEventCursor = (cursor: EventCursor): string => written(cursor);
export const readEventCursor = read(eventCursor);
export const writePayoutCursor = (cursor: PayoutCursor): string => written(cursor);
export const readPayoutCursor = read(payoutCursor);
export const writeDestinationCursor = (cursor: DestinationCursor): string => written(cursor);
export const readDestinationCursor = read(destinationCursor);
export const writeSearchCursor = (cursor: SearchCursor): string => written(cursor);
export const readSearchCursor = read(searchCursor);
