import * as z from 'zod';
import type { BatchStatus } from '../batch/batch-status.ts';
import { batchStatuses, batchStatusIs } from '../batch/batch-status.ts';
import type { Progress } from '../batch/progress.ts';
import { countIn } from '../batch/progress.ts';
import { given, givenBy } from '../given.ts';
import { once } from '../once.ts';
import { observedStatuses, payoutStatuses } from '../payout/payout-status.ts';
import type { BatchNews, News, PayoutNews } from './news.ts';
import { payoutCodes, statusesByBatchCode } from './news.ts';

/** Digits of a sequence number. Padded to this length, texts sort like numbers. */
const digits = 7;

const payoutCounts = once(() =>
  z
    .partialRecord(z.enum(payoutStatuses), z.int().positive())
    .meta({ description: 'Number of payouts by status when the event was numbered.' }),
);
type PayoutCounts = z.infer<ReturnType<typeof payoutCounts>>;

const reason = once(() =>
  z
    .string()
    .exactOptional()
    .meta({ description: 'Code of the reason. The API returns its sentence.', example: 'credentials_refused' }),
);

const batchData = once(() =>
  z.strictObject({
    batchId: z.string(),
    status: z.enum(batchStatuses),
    previousStatus: z
      .enum(batchStatuses)
      .exactOptional()
      .meta({ description: 'Status in the batch’s previous event. Absent in the first one.' }),
    reason: reason(),
    counts: payoutCounts().exactOptional(),
  }),
);

const payoutData = once(() =>
  z.strictObject({
    batchId: z.string(),
    reference: z.string(),
    row: z.int().positive(),
    chunk: z.int().positive(),
    status: z.enum(payoutStatuses),
    previousStatus: z.enum(payoutStatuses).exactOptional(),
    reason: reason(),
    observed: z
      .enum(observedStatuses)
      .exactOptional()
      .meta({ description: 'The provider’s status, which contradicts the payout’s.' }),
  }),
);

/**
 * Every type of event, with a function that makes the schema of its data. Schemas, checks and documents derive from this table.
 */
const dataByType: ReadonlyMap<string, () => z.ZodObject> = new Map<string, () => z.ZodObject>([
  ...[...statusesByBatchCode].map(
    ([code, statuses]) => [code, () => batchData().extend({ status: z.enum(statuses) })] as const,
  ),
  ...payoutCodes.map((code) => [code, payoutData] as const),
]);

export const eventTypes: readonly string[] = [...dataByType.keys()];

/** The published event: a CloudEvent (specification 1.0, extension `sequence`). It carries no personal data. */
export const cloudEvent = once(() =>
  z.strictObject({
    specversion: z.literal('1.0'),
    id: z.string().meta({
      description: 'Batch and sequence. An event delivered twice keeps its id.',
      example: 'b-01jgfjjz00e5x7b6nrw2m8k4vd-0000003',
    }),
    source: z.literal('payout-orchestrator'),
    type: z.enum(eventTypes).meta({ example: 'batch.completed' }),
    time: z.string().meta({ description: 'When it happened.', example: '2026-01-05T09:00:00.000Z' }),
    subject: z
      .string()
      .meta({ description: 'Path of the batch or payout.', example: 'batches/b-01jgfjjz00e5x7b6nrw2m8k4vd' }),
    sequence: z
      .string()
      .regex(/^\d{7}$/)
      .meta({ description: 'Number of the event in its batch, from 0000001, without gaps.', example: '0000003' }),
    datacontenttype: z.literal('application/json'),
    data: z.union([batchData(), payoutData()]),
  }),
);
export type CloudEvent = z.infer<ReturnType<typeof cloudEvent>>;

/** The schema of each event type, by name. */
export const schemaByType = once(
  (): ReadonlyMap<string, z.ZodObject> =>
    new Map(
      [...dataByType].map(([type, data]) => [type, cloudEvent().extend({ type: z.literal(type), data: data() })]),
    ),
);

/** How far a batch's events are numbered. */
export interface Numbered {
  /** The last number given. 0 when there is none. */
  readonly sequence: number;
  /** The status in the last event about the batch itself. */
  readonly status?: BatchStatus;
}

export const sequenceText = (sequence: number): string => sequence.toString().padStart(digits, '0');
export const sequenceOf = ({ sequence }: Pick<CloudEvent, 'sequence'>): number => Number.parseInt(sequence, 10);

/** True when the event counts payouts. Before disbursing there are none. An event about `canceled` never counts them. */
export const isCounted = (news: News): boolean => news.kind === 'batch' && batchStatusIs(news.status, 'mayReport');

/** Counts payouts by status. Statuses without payouts are left out. */
export const countPayouts = ({ currencies }: Pick<Progress, 'currencies'>): PayoutCounts =>
  givenBy(payoutStatuses, (status) => countIn(currencies, status) || undefined);

const batchDataOf = (batchId: string, news: BatchNews, previousStatus?: BatchStatus, counts?: PayoutCounts) => ({
  batchId,
  status: news.status,
  ...given({ previousStatus, reason: news.reason, counts: isCounted(news) ? counts : undefined }),
});

const payoutDataOf = (batchId: string, { kind: _kind, at: _at, code: _code, ...rest }: PayoutNews) => ({
  batchId,
  ...rest,
});

/** Turns news into a batch's events, in the given order, with numbers that follow the earlier events. */
export const numberNews = (
  batchId: string,
  before: Numbered,
  news: readonly News[],
  counts?: PayoutCounts,
): { readonly events: readonly CloudEvent[]; readonly after: Numbered } => {
  let after = before;
  const events = news.map((one): CloudEvent => {
    const { status: previous } = after;
    const sequence = after.sequence + 1;
    after = { ...after, sequence, ...(one.kind === 'batch' ? { status: one.status } : {}) };
    return {
      specversion: '1.0',
      id: `${batchId}-${sequenceText(sequence)}`,
      source: 'payout-orchestrator',
      type: one.code,
      time: one.at,
      subject: one.kind === 'batch' ? `batches/${batchId}` : `payouts/${one.reference}`,
      sequence: sequenceText(sequence),
      datacontenttype: 'application/json',
      data: one.kind === 'batch' ? batchDataOf(batchId, one, previous, counts) : payoutDataOf(batchId, one),
    };
  });
  return { events, after };
};
