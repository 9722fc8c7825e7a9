import { countPayouts, isCounted, numberNews, sequenceOf } from '../domain/events/cloud-event.ts';
import type { Log } from '../ports/environment.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { EventLedger, FoundNews } from '../ports/ledger/event-ledger.ts';
import type { PayoutLedger } from '../ports/ledger/payout-ledger.ts';

export interface PublishDependencies {
  readonly ledger: Pick<
    EventLedger,
    'readNews' | 'readEventNumbers' | 'writeEvents' | 'listEventsAfter' | 'markPublished'
  > &
    Pick<PayoutLedger, 'readProgress'>;
  readonly eventBus: EventBus;
  readonly log: Log;
  /** Waits between tries of the bus. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** News numbered in one transaction: each takes two of its 100 writes, and the last number one. */
export const numberedAtOnce = 49;

/** Times that another may be quicker to number: a stream's record and the look for what is overdue are two. */
const mostRaces = 20;

/** Events read and published at once. */
const publishedAtOnce = 50;

/** Tries in a row in which the bus takes nothing, and the milliseconds before the second; before each later one twice as many. */
const busTries = 3;
const busWaitMs = 200;

/** The bus did not take all: whoever asked asks again, and what was taken has the same ids then. */
export class NotAllPublished extends Error {
  override name = 'NotAllPublished';
}

const countsFor = async ({ ledger }: PublishDependencies, batchId: string, found: readonly FoundNews[]) =>
  found.some(({ news }) => isCounted(news))
    ? countPayouts(await ledger.readProgress(batchId, { consistent: true }))
    : undefined;

/** Gives news their numbers, in this order. Those that have one already keep it. */
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
      const counts = await countsFor(dependencies, batchId, found);
      const numbered = numberNews(
        batchId,
        before,
        found.map(({ news }) => news),
        counts,
      );
      if (!(await ledger.writeEvents(before, found, numbered))) {
        races += 1;
        if (races > mostRaces) throw new Error(`events of ${batchId} could not be numbered in ${mostRaces} tries`);
        continue;
      }
    }
    from += numberedAtOnce;
    races = 0;
  }
};

/** Publishes what of a batch is not published, in order. What is published twice has one id. */
export const publishNumbered = async (dependencies: PublishDependencies, batchId: string): Promise<void> => {
  const { ledger, eventBus, log, wait } = dependencies;
  const { published, sequence } = await ledger.readEventNumbers(batchId);
  for (let done = published, vain = 0; done < sequence; ) {
    const events = await ledger.listEventsAfter(batchId, done, publishedAtOnce);
    const last = events.at(-1);
    // Long unpublished, they are gone by now: the numbers tell that some were.
    if (last === undefined) return ledger.markPublished(batchId, sequence);
    const taken = await eventBus.publish(events);
    const lastTaken = events[taken - 1];
    if (lastTaken === undefined) {
      vain += 1;
      if (vain === busTries) throw new NotAllPublished(`the bus takes no event of ${batchId} after ${done}`);
      await wait(busWaitMs * 2 ** (vain - 1));
      continue;
    }
    vain = 0;
    done = sequenceOf(lastTaken);
    await ledger.markPublished(batchId, done);
    log.info('events.published', { batchId, events: taken, upTo: done });
  }
};

/**
 * Tells these news of a batch outside: each gets the batch's next number, and all that is numbered is published. It may be
 * done twice, at once and late, and break off anywhere: the next time goes on.
 */
export const numberAndPublish = async (
  dependencies: PublishDependencies,
  batchId: string,
  newsIds: readonly string[],
): Promise<void> => {
  await numberAll(dependencies, batchId, newsIds);
  await publishNumbered(dependencies, batchId);
};
