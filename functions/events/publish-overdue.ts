import { setTimeout as wait } from 'node:timers/promises';
import { eachByItself } from '../domain/each-by-itself.ts';
import type { Needs } from '../ports/needs.ts';
import { bind, eventBus, ledger } from '../runtime.ts';
import type { PublishDependencies } from './number-and-publish.ts';
import { numberAndPublish, publishNumbered } from './number-and-publish.ts';

export type PublishOverdueDependencies = PublishDependencies &
  Needs<{ ledger: 'listNewsBefore' | 'listUnpublished' }, 'clock'>;

/** Milliseconds within which the stream delivers news, retries included. Older news were missed. */
const overdueMs = 120_000;

/** Maximum news of one run. The oldest come first, and the next run takes the rest. */
const maxNews = 10_000;

/** Milliseconds reserved for publishing one batch's news. With less time left, the next run continues. */
const publishMs = 30_000;

const findOverdue = async ({ ledger }: PublishOverdueDependencies, before: string) => {
  const found = new Map<string, string[]>();
  let count = 0;
  for await (const { batchId, newsId } of ledger.listNewsBefore(before)) {
    found.set(batchId, [...(found.get(batchId) ?? []), newsId]);
    count += 1;
    if (count === maxNews) break;
  }
  return found;
};

/**
 * Publishes the news that the stream missed: news without a number, however old, and unpublished events. So nothing is lost
 * even when the stream is off for days. A batch that fails does not hold up the others, but the run then ends with an error.
 */
export const publishOverdue = async (
  dependencies: PublishOverdueDependencies,
  { remainingMs }: { readonly remainingMs: () => number },
): Promise<void> => {
  const { ledger, log } = dependencies;
  const before = new Date(dependencies.clock() - overdueMs).toISOString();
  const { attempt, failed } = eachByItself((batchId, error) => log.warn('events.not_told', { batchId, error }));
  const publish = async (batchId: string, action: () => Promise<void>) => {
    if (remainingMs() >= publishMs) await attempt(batchId, action);
  };
  for (const [batchId, newsIds] of await findOverdue(dependencies, before)) {
    log.warn('events.overdue', { batchId, news: newsIds.length });
    await publish(batchId, () => numberAndPublish(dependencies, batchId, newsIds));
  }
  for await (const batchId of ledger.listUnpublished()) {
    await publish(batchId, async () => {
      const { numberedAt = '' } = await ledger.readEventNumbers(batchId);
      if (numberedAt < before) await publishNumbered(dependencies, batchId);
    });
  }
  if (failed.size > 0) throw new Error(`events of ${failed.size} batches could not be published`);
};

const run = bind(publishOverdue, { ledger, eventBus, wait: () => wait });

export const handler = (_event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<void> =>
  run({ remainingMs: () => context.getRemainingTimeInMillis() });
