import type { CloudEvent, Numbered } from '../../domain/events/cloud-event.ts';
import type { News } from '../../domain/events/news.ts';

/** News of a batch without a number. Ids sort by time. */
export interface FoundNews {
  readonly newsId: string;
  readonly news: News;
}

/** Identifies one piece of news of one batch. */
export interface NewsKey extends Pick<FoundNews, 'newsId'> {
  readonly batchId: string;
}

/** How far a batch's events are numbered and published. */
export interface EventNumbers extends Numbered {
  readonly batchId: string;
  /** All events up to this number were published. */
  readonly published: number;
  /** When the last number was given, ISO 8601 UTC. Absent when there is none. */
  readonly numberedAt?: string;
}

/** Events that other systems receive: news, which is written with the change it reports, and the numbered events made from it. */
export interface EventLedger {
  /** Returns which of these news have no number yet, in the given order. Strongly consistent. */
  readNews(batchId: string, newsIds: readonly string[]): Promise<readonly FoundNews[]>;
  /** Strongly consistent. */
  readEventNumbers(batchId: string): Promise<EventNumbers>;
  /**
   * Turns news into events, in one transaction. Conditional on the last number as read, and on no news having a number. So
   * numbers have no gap, and each piece of news gets one number. False when a concurrent call was faster.
   */
  writeEvents(
    before: EventNumbers,
    found: readonly FoundNews[],
    numbered: { readonly events: readonly CloudEvent[]; readonly after: Numbered },
  ): Promise<boolean>;
  /** Returns a batch's numbered events after a number, in order. Strongly consistent. Old events have expired. */
  listEventsAfter(batchId: string, after: number, limit: number): Promise<readonly CloudEvent[]>;
  /** Records that all events up to this number were published. A late call changes nothing. */
  markPublished(batchId: string, sequence: number): Promise<void>;
  /** Lists news written before a time (ISO 8601 UTC) that has no number, oldest first, from an index that may lag. */
  listNewsBefore(before: string): AsyncIterable<NewsKey>;
  /** Lists batches with unpublished events, from an index that may lag. */
  listUnpublished(): AsyncIterable<string>;
}
