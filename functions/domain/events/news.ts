import type { BatchStatus, BatchTransition } from '../batch/batch-status.ts';
import { batchTransitions } from '../batch/batch-status.ts';
import { given } from '../given.ts';
import type { FoundContradiction, Payout, Reason } from '../payout/payout.ts';
import { cameBack, contradictedEvent } from '../payout/payout.ts';
import type { ObservedStatus, PayoutStatus } from '../payout/payout-status.ts';
import { payoutStatusesThat } from '../payout/payout-status.ts';

/** A batch reached a status. Like all news it holds only ids and codes: no personal data, and no text written by a person. */
export interface BatchNews {
  readonly kind: 'batch';
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The event type: the code of the move in the timeline. */
  readonly code: string;
  readonly status: BatchStatus;
  readonly reason?: string;
}

/** A change of a payout that a person should know about. */
export interface PayoutNews extends Pick<Payout, 'reference' | 'row' | 'chunk' | 'status'> {
  readonly kind: 'payout';
  readonly at: string;
  readonly code: string;
  /** Absent when the news leaves the status unchanged. */
  readonly previousStatus?: PayoutStatus;
  readonly reason?: string;
  /** The provider's status, which contradicts the payout's. */
  readonly observed?: ObservedStatus;
}

/** News to publish. It is written in one transaction with the change it reports, and numbered later. */
export type News = BatchNews | PayoutNews;

/** The first event of every batch's timeline. */
export const acceptedEvent = 'batch.accepted';

/** The money of a completed payout came back. */
const returnedEvent = 'payout.returned';

const transitions: readonly BatchTransition[] = Object.values(batchTransitions);

/** The statuses that each code of batch news can lead to. */
export const statusesByBatchCode: ReadonlyMap<string, readonly BatchStatus[]> = new Map([
  [acceptedEvent, ['accepted']],
  ...transitions.map(({ event }): readonly [string, readonly BatchStatus[]] => [
    event,
    [...new Set(transitions.flatMap((one) => (one.event === event ? [one.to] : [])))],
  ]),
]);

const codeOfStatus = (status: PayoutStatus): string => `payout.${status}`;

export const payoutCodes: readonly string[] = [
  ...payoutStatusesThat('isNews').map(codeOfStatus),
  returnedEvent,
  contradictedEvent,
];

export const batchNews = (
  at: string,
  { event, to }: Pick<BatchTransition, 'event' | 'to'>,
  reason?: Reason | null,
): BatchNews => ({ kind: 'batch', at, code: event, status: to, ...given({ reason: reason?.code }) });

/** News that a payout reached a status that a person should know about. */
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
  ...given({ reason: reason?.code }),
});

/** News that the provider contradicts a payout. */
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
