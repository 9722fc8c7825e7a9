import type { BatchStatus, BatchTransition } from '../batch/batch-status.ts';
import { batchTransitions } from '../batch/batch-status.ts';
import type { FoundContradiction, Payout, Reason } from '../payout/payout.ts';
import { cameBack, contradictedEvent } from '../payout/payout.ts';
import type { ObservedStatus, PayoutStatus } from '../payout/payout-status.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';

/** A batch came to a status. Ids and codes only, as in all news: nothing personal, and no person's words. */
export interface BatchNews {
  readonly kind: 'batch';
  /** ISO 8601 UTC. */
  readonly at: string;
  /** What the move is called in the timeline: the event's type. */
  readonly code: string;
  readonly status: BatchStatus;
  readonly reason?: string;
}

/** What a person should know of a payout. */
export interface PayoutNews extends Pick<Payout, 'reference' | 'row' | 'chunk' | 'status'> {
  readonly kind: 'payout';
  readonly at: string;
  readonly code: string;
  /** Absent of news that leave the status as it is. */
  readonly previousStatus?: PayoutStatus;
  readonly reason?: string;
  /** What the provider says against the status. */
  readonly observed?: ObservedStatus;
}

/** What is to be told outside. It is written in one transaction with what it tells of, and numbered later. */
export type News = BatchNews | PayoutNews;

/** How a batch's timeline begins. */
export const acceptedEvent = 'batch.accepted';

/** Money of a completed payout came back. */
export const returnedEvent = 'payout.returned';

const transitions: readonly BatchTransition[] = Object.values(batchTransitions);

/** The statuses that each code of a batch's news leads to. */
export const statusesByBatchCode: ReadonlyMap<string, readonly BatchStatus[]> = new Map([
  [acceptedEvent, ['accepted']],
  ...transitions.map(({ event }): readonly [string, readonly BatchStatus[]] => [
    event,
    [...new Set(transitions.flatMap((one) => (one.event === event ? [one.to] : [])))],
  ]),
]);

const codeOfStatus = (status: PayoutStatus): string => `payout.${status}`;

export const payoutCodes: readonly string[] = [
  ...payoutStatusesThat('isTold').map(codeOfStatus),
  returnedEvent,
  contradictedEvent,
];

const withReason = (reason: Reason | null | undefined): { reason?: string } =>
  reason == null ? {} : { reason: reason.code };

export const batchNews = (
  at: string,
  { event, to }: Pick<BatchTransition, 'event' | 'to'>,
  reason?: Reason | null,
): BatchNews => ({ kind: 'batch', at, code: event, status: to, ...withReason(reason) });

/** Of a payout that comes to a status that a person should know of. */
export const payoutNews = (
  at: string,
  { reference, row, chunk, status: previousStatus }: Payout,
  status: PayoutStatus,
  reason?: Reason | null,
): PayoutNews => ({
  kind: 'payout',
  at,
  code: codeOfStatus(status),
  reference,
  row,
  chunk,
  status,
  previousStatus,
  ...withReason(reason),
});

/** Of a payout that the provider contradicts. */
export const contradictionNews = (at: string, payout: Payout, found: FoundContradiction): PayoutNews => {
  const { reference, row, chunk, status } = payout;
  const isReturn = cameBack({ status, contradictions: [{ ...found, at }] });
  return {
    kind: 'payout',
    at,
    code: isReturn ? returnedEvent : contradictedEvent,
    reference,
    row,
    chunk,
    status,
    reason: found.code,
    observed: found.observed,
  };
};
