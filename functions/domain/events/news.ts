import * as z from 'zod';
import type { BatchStatus, BatchTransition } from '../batch/batch-status.ts';
import { batchStatuses, batchTransitions } from '../batch/batch-status.ts';
import { given } from '../given.ts';
import { once } from '../once.ts';
import type { FoundContradiction, Payout, Reason } from '../payout/payout.ts';
import { cameBack, contradictedEvent } from '../payout/payout.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';
import { observedStatuses, payoutStatuses, payoutStatusesThat } from '../payout/payout-status.ts';
import { counter, record } from '../records.ts';

/** A batch reached a status. Like all news it holds only ids and codes: no personal data, and no text written by a person. */
const storedBatchNews = record(() => ({
  kind: z.literal('batch'),
  /** ISO 8601 UTC. */
  at: z.string(),
  /** The event type: the code of the move in the timeline. */
  code: z.string(),
  status: z.enum(batchStatuses),
  reason: z.string().exactOptional(),
}));
export type BatchNews = z.infer<ReturnType<typeof storedBatchNews>>;

/** A change of a payout that a person should know about. */
const storedPayoutNews = record(() => ({
  kind: z.literal('payout'),
  at: z.string(),
  code: z.string(),
  reference: z.string(),
  row: counter(),
  chunk: counter(),
  status: z.enum(payoutStatuses),
  /** Absent when the news leaves the status unchanged. */
  previousStatus: z.enum(payoutStatuses).exactOptional(),
  reason: z.string().exactOptional(),
  /** The provider's status, which contradicts the payout's. */
  observed: z.enum(observedStatuses).exactOptional(),
}));
export type PayoutNews = z.infer<ReturnType<typeof storedPayoutNews>>;

/** News to publish. It is written in one transaction with the change it reports, and numbered later. */
export const storedNews = once(() => z.union([storedBatchNews(), storedPayoutNews()]));
export type News = z.infer<ReturnType<typeof storedNews>>;

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

const ofPayout = (at: string, code: string, { reference, row, chunk }: Payout) =>
  ({ kind: 'payout', at, code, reference, row, chunk }) as const;

/** News that a payout reached a status that a person should know about. */
export const payoutNews = (at: string, payout: Payout, status: PayoutStatus, reason?: Reason | null): PayoutNews => ({
  ...ofPayout(at, codeOfStatus(status), payout),
  status,
  previousStatus: payout.status,
  ...given({ reason: reason?.code }),
});

/** News that the provider contradicts a payout. */
export const contradictionNews = (at: string, payout: Payout, found: FoundContradiction): PayoutNews => {
  const { status } = payout;
  const isReturn = cameBack({ status, contradictions: [{ ...found, at }] });
  const news = ofPayout(at, isReturn ? returnedEvent : contradictedEvent, payout);
  return { ...news, status, reason: found.code, observed: found.observed };
};
