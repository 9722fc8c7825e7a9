import type { Announcement } from './announcement.ts';

/** What the log of deliveries says of one attempt: never what was posted, nor the path of where. */
export interface Attempt extends Pick<Announcement, 'webhookId' | 'type' | 'about'> {
  readonly clientId: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** ISO 8601 UTC, when it began. */
  readonly at: string;
  readonly host: string;
  readonly durationMs: number;
  /** `given_up`: it was refused, and is not tried again. */
  readonly outcome: 'delivered' | 'refused' | 'given_up';
  /** The HTTP status that took it. */
  readonly status?: number | undefined;
  /** Why it was not taken: `status 500`, or the name of the error when there was no answer. */
  readonly cause?: string | undefined;
  /** ISO 8601 UTC. */
  readonly nextAttemptAt?: string | undefined;
}

/** What of the log is asked for, newest first. */
export interface LogQuery {
  readonly clientId: string;
  readonly limit: number;
  readonly webhookId?: string | undefined;
  /** Attempts before this moment or place: a date, or what a former answer gave as `next`. */
  readonly before?: string | undefined;
}

export interface LogPage {
  readonly deliveries: readonly Omit<Attempt, 'clientId'>[];
  /** Where to read on; absent at the end. */
  readonly next?: string;
}
