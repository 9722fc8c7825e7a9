import * as z from 'zod';
import { batchStatuses } from '../../domain/batch/batch-status.ts';
import type { CloudEvent } from '../../domain/events/cloud-event.ts';
import { cloudEvent, sequenceOf } from '../../domain/events/cloud-event.ts';
import type { BatchNews, News, PayoutNews } from '../../domain/events/news.ts';
import { once } from '../../domain/once.ts';
import { observedStatuses, payoutStatuses } from '../../domain/payout/payout-status.ts';
import { absent } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import { counter } from '../table/schemas.ts';
import { openNews } from '../table/table.ts';
import type { Write } from '../table/writes.ts';

const batchNews = once<z.ZodType<BatchNews>>(() =>
  z.object({
    kind: z.literal('batch'),
    at: z.string(),
    code: z.string(),
    status: z.enum(batchStatuses),
    reason: z.string().exactOptional(),
  }),
);

const payoutNews = once<z.ZodType<PayoutNews>>(() =>
  z.object({
    kind: z.literal('payout'),
    at: z.string(),
    code: z.string(),
    reference: z.string(),
    row: counter(),
    chunk: counter(),
    status: z.enum(payoutStatuses),
    previousStatus: z.enum(payoutStatuses).exactOptional(),
    reason: z.string().exactOptional(),
    observed: z.enum(observedStatuses).exactOptional(),
  }),
);

export const readNewsItem = reading('news', () =>
  z.object({ newsId: z.string(), news: z.union([batchNews(), payoutNews()]) }),
);

/** Written in one transaction with the change it reports, so that neither exists without the other. */
export const newsWrite = (batchId: string, id: string, news: News): Write => {
  const newsId = `${news.at}#${id}`;
  // Batch and id are also attributes, because the stream's reader uses them.
  const item = { ...keys.news(batchId, newsId), open: openNews, batchId, newsId, news };
  return { kind: 'put', item, condition: absent('pk') };
};

export const readEventNumbersItem = reading('event numbers', () =>
  z.object({
    sequence: counter(),
    status: z.enum(batchStatuses).exactOptional(),
    published: counter().default(0),
    numberedAt: z.string(),
  }),
);

export const readEventItem = reading('numbered event', () => z.object({ event: cloudEvent() }));
export const numberedItem = (
  batchId: string,
  event: CloudEvent,
  expiresAt: number,
): Key & { readonly event: CloudEvent; readonly expiresAt: number } => ({
  ...keys.numbered(batchId, sequenceOf(event)),
  event,
  expiresAt,
});
