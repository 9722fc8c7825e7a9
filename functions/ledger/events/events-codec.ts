import * as z from 'zod';
import { batchStatuses } from '../../domain/batch/batch-status.ts';
import { cloudEvent } from '../../domain/events/cloud-event.ts';
import type { News } from '../../domain/events/news.ts';
import { storedNews } from '../../domain/events/news.ts';
import { counter } from '../../domain/records.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import { openNews } from '../table/table.ts';
import type { Write } from '../table/writes.ts';
import { creating } from '../table/writes.ts';

export const readNewsItem = reading('news', () => z.object({ newsId: z.string(), news: storedNews() }));

/** Written in one transaction with the change it reports, so that neither exists without the other. */
export const newsWrite = (batchId: string, id: string, news: News): Write => {
  const newsId = `${news.at}#${id}`;
  // Batch and id are also attributes, because the stream's reader uses them.
  return creating({ ...keys.news(batchId, newsId), open: openNews, batchId, newsId, news });
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
