import { countPayouts, isCounted, numberNews, sequenceOf } from '../domain/events/cloud-event.ts';
import type { News } from '../domain/events/news.ts';
import { given } from '../domain/given.ts';
import type { FoundNews } from '../ports/ledger/event-ledger.ts';
import type { Needs } from '../ports/needs.ts';

export type PublishDependencies = Needs<
  { ledger: 'readNews' | 'readEventNumbers' | 'writeEvents' | 'listEventsAfter' | 'markPublished' | 'readProgress' },
  'eventBus' | 'log'
> & {
  /** Waits between attempts of the bus. */
  readonly wait: (ms: number) => Promise<unknown>;
};

/** News numbered in one transaction. Each takes two of its 100 writes, and the last number takes one. */
const numberedAtOnce = 49;

/** Times that a concurrent run may number first. There are two such runs: for the stream's records, and for overdue news. */
const maxRaces = 20;

/** Events read and published together. */
const publishedAtOnce = 50;

/**
 * Consecutive attempts in which the bus may take nothing, and the milliseconds before the second attempt. The wait doubles each time.
 */
const busAttempts = 3;
const busWaitMs = 200;

/** The bus did not take every event. The caller retries, and events that were taken keep their ids. */
class NotAllPublished extends Error {
  override name = 'NotAllPublished';
}

const countsFor = async ({ ledger }: PublishDependencies, batchId: string, found: readonly FoundNews[]) =>
  found.some(({ news }) => isCounted(news))
    ? countPayouts(await ledger.readProgress(batchId, { consistent: true }))
    : undefined;

/** Raises the alarm of a contradiction. Other news have none here. */
const raiseAlarm = ({ log }: PublishDependencies, batchId: string, news: News): void => {
  if (news.kind !== 'payout' || news.observed === undefined) return;
  const { chunk, row, status, reason: contradiction, observed } = news;
  log.alarm('PayoutChangedAfterEnd', { batchId, chunk, row, status, observed, ...given({ contradiction }) });
};

/**
 * Gives news their numbers, in this order. News with a number keep it. Alarms come first: a run that dies in between raises them
 * again.
 */
const numberAll = async (
  dependencies: PublishDependencies,
  batchId: string,
  newsIds: readonly string[],
): Promise<void> => {
  const { ledger } = dependencies;
  for (let from = 0, races = 0; from < newsIds.length; ) {
    const before = await ledger.readEventNumbers(batchId);
    const found = await ledger.readNews(batchId, newsIds.slice(from, from + numberedAtOnce));
    if (found.length > 0) {
      for (const { news } of found) raiseAlarm(dependencies, batchId, news);
      const counts = await countsFor(dependencies, batchId, found);
      const unnumbered = found.map(({ news }) => news);
      const numbered = numberNews(batchId, before, unnumbered, counts);
      if (!(await ledger.writeEvents(before, found, numbered))) {
        races += 1;
        if (races > maxRaces) throw new Error(`events of ${batchId} could not be numbered in ${maxRaces} attempts`);
        continue;
      }
    }
    from += numberedAtOnce;
    races = 0;
  }
};

/** Publishes a batch's unpublished events, in order. An event that is published twice has the same id. */
export const publishNumbered = async (dependencies: PublishDependencies, batchId: string): Promise<void> => {
  const { ledger, eventBus, log, wait } = dependencies;
  const { published, sequence } = await ledger.readEventNumbers(batchId);
  for (let done = published, refusals = 0; done < sequence; ) {
    const events = await ledger.listEventsAfter(batchId, done, publishedAtOnce);
    const last = events.at(-1);
    // Events that stayed unpublished for long have expired. The gap in the numbers shows that.
    if (last === undefined) return ledger.markPublished(batchId, sequence);
    const taken = await eventBus.publish(events);
    const lastTaken = events[taken - 1];
    if (lastTaken === undefined) {
      refusals += 1;
      if (refusals === busAttempts) throw new NotAllPublished(`the bus takes no event of ${batchId} after ${done}`);
      await wait(busWaitMs * 2 ** (refusals - 1));
      continue;
    }
    refusals = 0;
    done = sequenceOf(lastTaken);
    await ledger.markPublished(batchId, done);
    log.info('events.published', { batchId, events: taken, upTo: done });
  }
};

/**
 * Publishes these news of a batch: each raises its alarm and gets the batch's next number. Then all unpublished events are
 * published. Safe to run concurrently, repeatedly or late, and to break off anywhere: the next run continues.
 */
export const numberAndPublish = async (
  dependencies: PublishDependencies,
  batchId: string,
  newsIds: readonly string[],
): Promise<void> => {
  await numberAll(dependencies, batchId, newsIds);
  await publishNumbered(dependencies, batchId);
};
