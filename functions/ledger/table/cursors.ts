import * as z from 'zod';
import { InvalidCursor } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';

/** Writes and reads a cursor of this shape, which is opaque to clients: JSON in base64url. */
const cursorOf = <Shape extends z.ZodRawShape>(shape: () => Shape) => {
  const schema = once(() => z.strictObject(shape()));
  return {
    write: (cursor: z.infer<ReturnType<typeof schema>>): string =>
      Buffer.from(JSON.stringify(cursor)).toString('base64url'),
    /** @throws InvalidCursor for a text that no list of this kind returned */
    read: (text: string): z.infer<ReturnType<typeof schema>> => {
      try {
        return schema().parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
      } catch {
        throw new InvalidCursor('cursor_invalid');
      }
    },
  };
};

const ofBatches = () => ({
  /** A UTC day that exists in the calendar. */
  day: z.iso.date(),
  before: z.string().min(1).max(200).exactOptional(),
  /** Consecutive days without a batch so far. */
  quietDays: z.int().min(0).max(10_000).exactOptional(),
});
/** Continues a list of batches at this day, before this batch. */
export const batchCursor = cursorOf(ofBatches);
export type BatchCursor = ReturnType<typeof batchCursor.read>;

/** Continues a timeline at this line, toward older ones. */
export const lineCursor = cursorOf(() => ({ at: z.string().max(100) }));

/** The most rows, and so chunks, of a file. A larger number is not a place in any list. */
const largestNumber = 1_000_000;

const ofPayouts = () => ({
  chunk: z.int().min(1).max(largestNumber),
  row: z.int().min(0).max(largestNumber),
});
/** Continues a list of payouts after this row of this chunk. */
export const payoutCursor = cursorOf(ofPayouts);
export type PayoutCursor = ReturnType<typeof payoutCursor.read>;

/** Continues a search for a destination after this payout. */
export const destinationCursor = cursorOf(() => ({
  ...ofPayouts(),
  batchId: z.string().min(1).max(100),
  /** The payout has the destination's former hash. */
  isFormer: z.literal(true).exactOptional(),
}));
export type DestinationCursor = ReturnType<typeof destinationCursor.read>;

/** Continues a search through batches: first after `within` in the batch that `before` names, then before that batch. */
export const searchCursor = cursorOf(() => ({ ...ofBatches(), within: z.strictObject(ofPayouts()).exactOptional() }));
export type SearchCursor = ReturnType<typeof searchCursor.read>;
