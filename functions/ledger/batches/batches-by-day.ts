import type { Batch } from '../../domain/batch/batch.ts';
import { dayMs } from '../../domain/durations.ts';
import { given } from '../../domain/given.ts';
import type { BatchCursor } from '../table/cursors.ts';
import { createdAtAndId, dayOf } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { readBatch } from './batch-codec.ts';

/** Days that one request walks back, at one query each: half a second in all. */
const daysPerCall = 93;

/** A walk ends after this many days without a batch, a little over a year. Otherwise it would never end. */
const mostQuietDays = 4 * daysPerCall;

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);

/** The cursor for batches older than this one. */
export const cursorBefore = ({ createdAt, batchId }: Batch): BatchCursor => ({
  day: dayOf(createdAt),
  before: createdAtAndId(createdAt, batchId),
});

/** The cursor for the days before one call's. Undefined when there has been no batch for too long. */
export const nextDays = (
  { day, quietDays = 0 }: Pick<BatchCursor, 'day' | 'quietDays'>,
  hasSeen: boolean,
): BatchCursor | undefined => {
  const quiet = hasSeen ? 0 : quietDays + daysPerCall;
  return quiet < mostQuietDays ? { day: daysBefore(day, daysPerCall), quietDays: quiet } : undefined;
};

/** The batches of the days that one call walks back, newest first. */
export async function* batchesByDay(store: Store, from: BatchCursor): AsyncGenerator<Batch> {
  for (let back = 0; back < daysPerCall; back += 1) {
    const day = daysBefore(from.day, back);
    const sortKey = back === 0 && from.before !== undefined ? { below: from.before } : undefined;
    const query = { index: 'batchesByDay', value: day, newestFirst: true, ...given({ sortKey }) } as const;
    for await (const item of store.queryIndex(query)) yield readBatch(item);
  }
}
