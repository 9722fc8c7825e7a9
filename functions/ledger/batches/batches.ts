import type { Batch, TimelineLine } from '../../domain/batch/batch.ts';
import { InvariantBroken } from '../../domain/errors.ts';
import { acceptedEvent, batchNews } from '../../domain/events/news.ts';
import { isoNow } from '../../ports/environment.ts';
import type { BatchLedger, CreateBatch, NewBatch } from '../../ports/ledger/batch-ledger.ts';
import type { Page } from '../../ports/ledger/ledger.ts';
import { newsWrite } from '../events/events-codec.ts';
import type { BatchCursor } from '../table/cursors.ts';
import { batchCursor, lineCursor } from '../table/cursors.ts';
import { batchIdOfKey, keys, openBatches, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies, Transacted } from '../table/store.ts';
import { creating, returningOld } from '../table/writes.ts';
import type { Idempotency } from './batch-codec.ts';
import { batchItem, lineWrite, readBatch, readIdempotency, readLine } from './batch-codec.ts';
import { batchesByDay } from './batches-by-day.ts';
import { batchesOfMark, joinMark } from './file-mark.ts';

/** Creates, reads and lists batches. Their status changes are in batch-moves.ts and releases.ts. */
export const createBatches = ({ store, clock, ids }: PartDependencies) => {
  const getBatch: BatchLedger['getBatch'] = (batchId) => store.read(keys.batch(batchId), readBatch);

  const findByFile: BatchLedger['findByFile'] = async (file) =>
    (await store.read(keys.file(file), batchesOfMark)) ?? [];

  const existing = async (batchId: string): Promise<Batch> => {
    const batch = await getBatch(batchId);
    if (batch === undefined) throw new InvariantBroken(`idempotency_key_without_batch: ${batchId}`);
    return batch;
  };

  const startedBy = async (earlier: Idempotency, requestHash: string): Promise<CreateBatch> =>
    earlier.requestHash === requestHash
      ? { kind: 'repeated', batch: await existing(earlier.batchId) }
      : { kind: 'key_reused', batchId: earlier.batchId };

  const findStart: BatchLedger['findStart'] = async ({ createdBy, idempotencyKey, requestHash }) => {
    const earlier = await store.read(keys.idempotency(createdBy, idempotencyKey), readIdempotency);
    return earlier && startedBy(earlier, requestHash);
  };

  const whyRefused = async (
    newBatch: NewBatch,
    [idempotency, , mark]: Extract<Transacted, { kind: 'refused' }>['writes'],
  ): Promise<CreateBatch> => {
    if (idempotency?.failed && idempotency.item !== undefined) {
      const earlier = readIdempotency(idempotency.item);
      // The batch id is new to this request, so this request's own first attempt was written.
      if (earlier.batchId === newBatch.batchId) return { kind: 'created', batch: await existing(earlier.batchId) };
      return startedBy(earlier, newBatch.requestHash);
    }
    if (mark?.failed && mark.item !== undefined) {
      const batchIds = batchesOfMark(mark.item);
      if (batchIds.length > 0) return { kind: 'same_file', batchIds };
    }
    throw new InvariantBroken(`batch_id_in_use: ${newBatch.batchId}`);
  };

  const createBatch = async (newBatch: NewBatch): Promise<CreateBatch> => {
    const now = isoNow(clock);
    const { idempotencyKey, requestHash, ...asked } = newBatch;
    const { batchId, createdBy } = asked;
    const batch: Batch = { ...asked, status: 'accepted', createdAt: now, statusSince: now, executions: 1 };
    const idempotency: Idempotency = { batchId, requestHash };
    const result = await store.transact([
      returningOld(creating({ ...keys.idempotency(createdBy, idempotencyKey), ...idempotency })),
      creating(batchItem(batch)),
      ...(batch.mode === 'disburse' ? [joinMark(keys.file(batch.file), batch)] : []),
      lineWrite(batchId, ids.sortable(), { at: now, code: acceptedEvent, by: createdBy }),
      newsWrite(batchId, ids.sortable(), batchNews(now, { event: acceptedEvent, to: batch.status })),
    ]);
    return result.kind === 'written' ? { kind: 'created', batch } : whyRefused(newBatch, result.writes);
  };

  const listBatches: BatchLedger['listBatches'] = async ({ day, limit, cursor, status }): Promise<Page<Batch>> => {
    const from: BatchCursor = cursor === undefined ? { day } : batchCursor.read(cursor);
    const items: Batch[] = [];
    for await (const { batch, cursor: next } of batchesByDay(store, from)) {
      if (batch !== undefined && (status === undefined || batch.status === status)) items.push(batch);
      if (batch === undefined || items.length >= limit) return { items, cursor: batchCursor.write(next) };
    }
    return { items };
  };

  const listOpenBatches: BatchLedger['listOpenBatches'] = () =>
    Array.fromAsync(store.queryIndex({ index: 'open', value: openBatches }), ({ pk }) => batchIdOfKey(String(pk)));

  const listTimeline: BatchLedger['listTimeline'] = async (batchId, query): Promise<Page<TimelineLine>> => {
    const { limit, kind = 'line', cursor, consistent = false } = query;
    const prefix = sortPrefixes[kind];
    const range = {
      pk: partitions.batch(batchId),
      prefix,
      to: cursor === undefined ? undefined : `${prefix}${lineCursor.read(cursor).at}`,
      pageSize: limit + 1,
      consistent,
      newestFirst: true,
    };
    const items: TimelineLine[] = [];
    for await (const item of store.query(range)) {
      // Reads one more than the limit, so that a cursor always leads to something.
      if (items.length === limit)
        return { items, cursor: lineCursor.write({ at: String(item['sk']).slice(prefix.length) }) };
      items.unshift(readLine(item));
    }
    return { items };
  };

  return { createBatch, findStart, getBatch, findByFile, listBatches, listOpenBatches, listTimeline };
};
