import type { Batch, TimelineLine } from '../../domain/batch/batch.ts';
import { given } from '../../domain/given.ts';
import type { BatchLedger } from '../../ports/ledger/batch-ledger.ts';
import type { Page } from '../../ports/ledger/ledger.ts';
import type { Needs } from '../../ports/needs.ts';
import { bind, ledger, log, settings, workflow } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import type { OutcomeOf } from '../http/answer.ts';
import { answer } from '../http/answer.ts';
import { problem } from '../http/problem.ts';
import * as operations from '../schemas/operations/batch-operations.ts';
import type { RequestOf } from '../schemas/operations/operation.ts';
import { viewBatch } from '../views/batch.ts';
import { readBatches } from './read-batches.ts';

export type GetBatchDependencies = Needs<
  {
    ledger: 'getBatch' | 'findByFile' | 'listTimeline' | 'readProgress' | 'listConversions';
    workflow: 'consoleUrl';
    settings: 'readyTooLongMinutes' | 'feeTolerancePercent';
  },
  'clock'
>;

/** Milliseconds for which counts are reused. The chunk records are added up once in this time, and after a recorded action. */
const countsMs = 5000;

/** Lines of the timeline per answer. One read unit covers 25 of about 300 bytes. */
const linesPerAnswer = 25;

/**
 * The newest contradictions by the provider, on the first page of the timeline only. A bank may return a whole payroll. Each one is
 * also shown with its payout, and in the results.
 */
const contradictionsPerAnswer = 10;

const none: Page<TimelineLine> = { items: [] };

/** The newest retries of a batch that are read. Payments by older ones are not counted, so that someone looks again. */
const retriesRead = 100;

/** The newest batches that are read of those that start a refused file again. */
const startsRead = 100;

/**
 * Reads what may pay a refused file, which waits for a person until all its rows are paid: its corrections, whose number is
 * bounded, and batches that started the same version later. Batch ids sort by time.
 */
const readPaying = async (
  ledger: Pick<BatchLedger, 'getBatch' | 'findByFile'>,
  { batchId, status, file, correctedBy = new Set() }: Batch,
): Promise<readonly Batch[]> => {
  if (status !== 'validation_failed') return [];
  const again = (await ledger.findByFile(file)).filter((other) => other > batchId).slice(-startsRead);
  return readBatches(ledger, new Set([...correctedBy, ...again]));
};

/** When the batch last changed in a way that may affect its counts. ISO 8601, UTC. */
const lastChange = (batch: Batch, ...timelines: readonly (readonly TimelineLine[])[]): string =>
  [batch.statusSince, batch.report?.reportedAt ?? '', ...timelines.map((lines) => lines.at(-1)?.at ?? '')]
    .toSorted()
    .at(-1) ?? '';

/**
 * Everything about a batch except its payouts. Counts are at most five seconds old, and read after the last recorded action.
 * Reads a few items, or all chunk records when the counts are older; the bench bounds both.
 *
 * @param countsAtMostMs how old the counts may be, for callers that read many batches
 */
export const getBatch = async (
  { ledger, workflow, settings, clock }: GetBatchDependencies,
  { path: { batchId }, query: { cursor } }: Pick<RequestOf<typeof operations.getBatch>, 'path' | 'query'>,
  countsAtMostMs: number = countsMs,
): Promise<OutcomeOf<typeof operations.getBatch>> => {
  const batch = await ledger.getBatch(batchId);
  if (batch === undefined) return problem('batch_not_found');
  const [conversions, lines, contradictions] = await Promise.all([
    ledger.listConversions(batchId),
    ledger.listTimeline(batchId, { limit: linesPerAnswer, ...given({ cursor }) }),
    cursor === undefined
      ? ledger.listTimeline(batchId, { limit: contradictionsPerAnswer, kind: 'contradiction' })
      : none,
  ]);
  const paying = await readPaying(ledger, batch);
  const retries = await readBatches(ledger, [...(batch.retriedBy ?? [])].sort().slice(-retriesRead));
  const changedAt = lastChange(batch, lines.items, contradictions.items);
  const progress = await ledger.readProgress(batchId, { atMostMs: countsAtMostMs, changedAt });
  const records = { batch, progress, conversions, lines, contradictions: contradictions.items, paying, retries };
  return answer(200, viewBatch({ workflow, settings, clock }, records));
};

export const handler = endpoint(log, operations.getBatch, bind(getBatch, { ledger, workflow, settings }));
