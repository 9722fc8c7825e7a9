import type { Batch } from '../../domain/batch/batch.ts';
import { dayMs } from '../../domain/durations.ts';
import { given } from '../../domain/given.ts';
import type { BatchCursor } from '../table/cursors.ts';
import { createdAtAndId } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { readBatch } from './batch-codec.ts';

/** Days that one request walks back, at one query each: half a second in all. */
const daysPerCall = 93;

/** A walk ends after this many days without a batch, a little over a year. Otherwise it would never end. */
const mostQuietDays = 4 * daysPerCall;

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs).toISOString().slice(0, 10);

/** A batch, or the end of the days of one call. The cursor continues after it. */
interface Step {
  readonly batch?: Batch;
  readonly cursor: BatchCursor;
}

/**
 * The batches of the days that one call walks back, newest first, and then the end of these days. There is no such end once there
 * has been no batch for too long.
 *
 * @param hasSeen whether the call has looked into a batch already
 */
export async function* batchesByDay(store: Store, from: BatchCursor, hasSeen = false): AsyncGenerator<Step> {
  let isQuiet = !hasSeen;
  for (let back = 0; back < daysPerCall; back += 1) {
    const day = daysBefore(from.day, back);
    const sortKey = back === 0 && from.before !== undefined ? { below: from.before } : undefined;
    const query = { index: 'batchesByDay', value: day, newestFirst: true, ...given({ sortKey }) } as const;
    for await (const item of store.queryIndex(query)) {
      isQuiet = false;
      const batch = readBatch(item);
      yield { batch, cursor: { day, before: createdAtAndId(batch.createdAt, batch.batchId) } };
    }
  }
  const quietDays = isQuiet ? (from.quietDays ?? 0) + daysPerCall : 0;
  if (quietDays < mostQuietDays) yield { cursor: { day: daysBefore(from.day, daysPerCall), quietDays } };
}
