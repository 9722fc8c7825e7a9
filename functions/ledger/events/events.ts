import type { CloudEvent } from '../../domain/events/cloud-event.ts';
import { sequenceOf } from '../../domain/events/cloud-event.ts';
import { isoNow } from '../../ports/environment.ts';
import type { EventLedger } from '../../ports/ledger/event-ledger.ts';
import { expiresAfter } from '../table/expiry.ts';
import { absent, absentOrBelow, and, equals, present, setting } from '../table/expressions.ts';
import { batchIdOfEvents, keys, newsOfKey, openEvents, partitions, sortPrefixes } from '../table/keys.ts';
import type { PartDependencies } from '../table/store.ts';
import { openNews } from '../table/table.ts';
import { creating, deleting, updating } from '../table/writes.ts';
import { readEventItem, readEventNumbersItem, readNewsItem } from './events-codec.ts';

/** Days for which events can be read again: over a year, for readers who compare years. Sequence numbers are kept forever. */
const eventDays = 400;

/** News, and the numbered events that are made from them. */
export const createEvents = ({ store, clock }: PartDependencies): EventLedger => ({
  readNews: async (batchId, newsIds) => {
    const wanted = newsIds.map((newsId) => keys.news(batchId, newsId));
    const found = (await store.getMany(wanted, { consistent: true })).map(readNewsItem);
    const byId = new Map(found.map((one) => [one.newsId, one]));
    return newsIds.flatMap((newsId) => byId.get(newsId) ?? []);
  },

  readEventNumbers: async (batchId) => {
    const numbers = await store.read(keys.eventNumbers(batchId), readEventNumbersItem);
    return { batchId, ...(numbers ?? { sequence: 0, published: 0 }) };
  },

  writeEvents: async ({ batchId, sequence }, found, { events, after }) => {
    const numberedAt = isoNow(clock);
    const expiresAt = expiresAfter(numberedAt, eventDays);
    const numbering = setting({ ...after, numberedAt, open: openEvents });
    const sequenceAsRead = sequence === 0 ? absent('sequence') : equals('sequence', sequence);
    const result = await store.transact([
      updating(keys.eventNumbers(batchId), numbering, sequenceAsRead),
      // News is deleted once it has a number, so a repeated stream record finds nothing to do.
      ...found.map(({ newsId }) => deleting(keys.news(batchId, newsId), present('pk'))),
      ...events.map((event) => creating({ ...keys.numbered(batchId, sequenceOf(event)), event, expiresAt })),
    ]);
    return result.kind === 'written';
  },

  listEventsAfter: async (batchId, after, limit) => {
    const prefix = sortPrefixes.numbered;
    const from = keys.numbered(batchId, after + 1).sk;
    const events: CloudEvent[] = [];
    for await (const item of store.query({ pk: partitions.events(batchId), prefix, from, pageSize: limit })) {
      events.push(readEventItem(item).event);
      if (events.length === limit) break;
    }
    return events;
  },

  markPublished: async (batchId, published) => {
    const key = keys.eventNumbers(batchId);
    const all = await store.update(key, setting({ published, open: null }), equals('sequence', published));
    if (all.kind === 'written') return;
    // More events were numbered since, so it stays open. A late call does not lower the number.
    await store.update(key, setting({ published }), and(present('pk'), absentOrBelow('published', published)));
  },

  listNewsBefore: async function* (before) {
    const sortKey = { below: `${sortPrefixes.news}${before}` };
    for await (const { pk, sk } of store.queryIndex({ index: 'open', value: openNews, sortKey }))
      yield newsOfKey({ pk: String(pk), sk: String(sk) });
  },

  listUnpublished: async function* () {
    for await (const { pk } of store.queryIndex({ index: 'open', value: openEvents }))
      yield batchIdOfEvents(String(pk));
  },
});
