import type { CloudEvent, Numbered } from '../../domain/events/cloud-event.ts';
import type { News } from '../../domain/events/news.ts';

/** News of a batch that has no number yet. Ids sort by time. */
export interface FoundNews {
  readonly newsId: string;
  readonly news: News;
}

/** Which news of which batch. */
export interface NewsKey extends Pick<FoundNews, 'newsId'> {
  readonly batchId: string;
}

/** How far a batch's events are numbered, and published. */
export interface EventNumbers extends Numbered {
  readonly batchId: string;
  /** Every event up to this number was published. */
  readonly published: number;
  /** When the last number was given, ISO 8601 UTC; absent of none. */
  readonly numberedAt?: string;
}

/** What is told outside of batches: news, which are written with what they tell of, and the numbered events made of them. */
export interface EventLedger {
  /** Those of these news that have no number yet, in the order asked for. Strongly consistent. */
  readNews(batchId: string, newsIds: readonly string[]): Promise<readonly FoundNews[]>;
  /** Strongly consistent. */
  readEventNumbers(batchId: string): Promise<EventNumbers>;
  /**
   * One transaction: news become events. Conditional on the last number as read, and on no news having a number, so that numbers
   * have no gap and news get one once. False when another was quicker.
   */
  writeEvents(
    before: EventNumbers,
    found: readonly FoundNews[],
    numbered: { readonly events: readonly CloudEvent[]; readonly after: Numbered },
  ): Promise<boolean>;
  /** The numbered events of a batch after a number, in order. Strongly consistent. Those of long ago are gone. */
  listEventsAfter(batchId: string, after: number, limit: number): Promise<readonly CloudEvent[]>;
  /** All up to this number were published. Said late it changes nothing. */
  markPublished(batchId: string, sequence: number): Promise<void>;
  /** News that were written before a time, ISO 8601 UTC, and have no number, oldest first; as an index has them. */
  listNewsBefore(before: string): AsyncIterable<NewsKey>;
  /** Batches with events that are not published, as an index has them. */
  listUnpublished(): AsyncIterable<string>;
}
