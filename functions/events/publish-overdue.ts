import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/environment.ts';
import type { EventLedger } from '../ports/ledger/event-ledger.ts';
import { clock, eventBus, ledger, log } from '../runtime.ts';
import type { PublishDependencies } from './number-and-publish.ts';
import { numberAndPublish, publishNumbered } from './number-and-publish.ts';

export interface PublishOverdueDependencies extends PublishDependencies {
  readonly ledger: PublishDependencies['ledger'] & Pick<EventLedger, 'listNewsBefore' | 'listUnpublished'>;
  readonly clock: Clock;
}

/** Milliseconds in which the stream tells of news, with all its tries; what is older was left over. */
const overdueMs = 120_000;

/** News looked for in one run. What is beyond comes in the next, and oldest first. */
const mostNews = 10_000;

/** Milliseconds that telling of one batch may take: with less left, the next run goes on. */
const tellMs = 30_000;

const findOverdue = async ({ ledger }: PublishOverdueDependencies, before: string) => {
  const found = new Map<string, string[]>();
  let count = 0;
  for await (const { batchId, newsId } of ledger.listNewsBefore(before)) {
    found.set(batchId, [...(found.get(batchId) ?? []), newsId]);
    count += 1;
    if (count === mostNews) break;
  }
  return found;
};

/**
 * Tells what the stream did not: news without a number, however old, and events that were not published. So nothing is lost
 * when the stream was off for days. One batch that cannot be told holds up no other; the run ends in an error then.
 */
export const publishOverdue = async (
  dependencies: PublishOverdueDependencies,
  { remainingMs }: { readonly remainingMs: () => number },
): Promise<void> => {
  const { ledger, log } = dependencies;
  const before = new Date(dependencies.clock() - overdueMs).toISOString();
  const failed = new Set<string>();
  const telling = async (batchId: string, what: () => Promise<void>) => {
    if (failed.has(batchId) || remainingMs() < tellMs) return;
    try {
      await what();
    } catch (error) {
      failed.add(batchId);
      log.warn('events.not_told', { batchId, error: error instanceof Error ? error.name : 'unknown' });
    }
  };
  for (const [batchId, newsIds] of await findOverdue(dependencies, before)) {
    log.warn('events.overdue', { batchId, news: newsIds.length });
    await telling(batchId, () => numberAndPublish(dependencies, batchId, newsIds));
  }
  for await (const batchId of ledger.listUnpublished()) {
    await telling(batchId, async () => {
      const { numberedAt = '' } = await ledger.readEventNumbers(batchId);
      if (numberedAt < before) await publishNumbered(dependencies, batchId);
    });
  }
  if (failed.size > 0) throw new Error(`events of ${failed.size} batches could not be told`);
};

export const handler = (_event: unknown, context: { getRemainingTimeInMillis(): number }): Promise<void> =>
  publishOverdue(
    { ledger: ledger(), eventBus: eventBus(), clock, log, wait },
    { remainingMs: () => context.getRemainingTimeInMillis() },
  );
