import { setTimeout as wait } from 'node:timers/promises';
import middy from '@middy/core';
import * as z from 'zod';
import { nameOfError } from '../domain/errors.ts';
import { inParallel } from '../domain/in-parallel.ts';
import type { RedeliveryResponse } from '../domain/queued-messages.ts';
import { eventBus, ledger, log } from '../runtime.ts';
import type { PublishDependencies } from './number-and-publish.ts';
import { numberAndPublish } from './number-and-publish.ts';

const text = z.object({ S: z.string() });

/** The stream's records of written news. The event source's filter drops all other items. */
const streamEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({ SequenceNumber: z.string(), NewImage: z.object({ batchId: text, newsId: text }) }),
    }),
  ),
});
export type NewsRecords = z.infer<typeof streamEvent>;

/** Batches published concurrently. The news of each batch are published in order. */
const concurrentBatches = 8;

/**
 * Numbers and publishes news from the ledger's stream, in the order in which they were written. A batch that fails does not
 * hold up the others. Once the stream has used up its retries, `publish-overdue` finds the news.
 */
export const publishNews = async (
  dependencies: PublishDependencies,
  { Records }: NewsRecords,
): Promise<RedeliveryResponse> => {
  const firstOfFailed: NewsRecords['Records'] = [];
  const byBatch = Map.groupBy(Records, ({ dynamodb }) => dynamodb.NewImage.batchId.S);
  await inParallel(byBatch, concurrentBatches, async ([batchId, records]) => {
    const newsIds = records.map(({ dynamodb }) => dynamodb.NewImage.newsId.S);
    try {
      await numberAndPublish(dependencies, batchId, newsIds);
    } catch (error) {
      // The stream begins again with the batch's first record.
      firstOfFailed.push(...records.slice(0, 1));
      dependencies.log.warn('events.not_told', { batchId, error: nameOfError(error) });
    }
  });
  return { batchItemFailures: firstOfFailed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb.SequenceNumber })) };
};

export const handler = middy<unknown, RedeliveryResponse>().handler((event: unknown) =>
  publishNews({ ledger: ledger(), eventBus: eventBus(), log, wait }, streamEvent.parse(event)),
);
