import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { hasEnded } from '../../../functions/api/schemas/batch.ts';
import type { Comparison } from '../truth/compare.ts';
import type { AnswerCounts } from './ask-often.ts';
import { percentile } from './ask-often.ts';

export interface LoadOutcome {
  readonly starts: AnswerCounts;
  /** Starts of executions that Step Functions refused on purpose. */
  readonly throttled: number;
  readonly statuses: AnswerCounts;
  readonly burst: AnswerCounts;
  readonly comparison: Comparison;
  /** Their final state, or their state when the program stopped waiting. */
  readonly batches: readonly BatchView[];
  /** From the first start until the last batch had ended or timed out. */
  readonly seconds: number;
}

const answers = ({ byStatus, failed, noRoom }: AnswerCounts): string =>
  [
    ...[...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`),
    `without a proper answer: ${failed}`,
    ...(noRoom === 0 ? [] : [`retried because the local AWS had no room: ${noRoom}`]),
  ].join(', ');

const spread = ({ latencies }: AnswerCounts): string => {
  const at = (part: number): string => `${Math.round(percentile(latencies, part))}`;
  return `${at(0.5)} / ${at(0.95)} / ${at(0.99)} / ${at(1)} ms`;
};

export const printLoad = ({
  starts,
  throttled,
  statuses,
  burst,
  comparison,
  batches,
  seconds,
}: LoadOutcome): string => {
  const byStatus = Map.groupBy(batches, ({ status }) => status);
  const executions = batches.filter((batch) => batch.executions.length > 1).length;
  const rows: readonly (readonly [string, string])[] = [
    ['batches started concurrently', String(batches.length)],
    ['  answers to starts', answers(starts)],
    ['  p50 / p95 / p99 / max of those accepted', spread(starts)],
    ['  starts that Step Functions refused', String(throttled)],
    ['  final statuses', [...byStatus].map(([status, those]) => `${status} ${those.length}`).join(', ')],
    ['  with more than one execution', String(executions)],
    ['  until the last had ended', `${seconds} s`],
    ['status requests', answers(statuses)],
    ['  p50 / p95 / p99 / max', spread(statuses)],
    ['requests beyond the limit, concurrently', answers(burst)],
    ['  p50 / p95 / p99 / max of those accepted', spread(burst)],
    ['payouts', String(comparison.payouts)],
    ['  by the results', [...comparison.byStatus].map(([status, count]) => `${status} ${count}`).join(', ')],
    ['  made twice, lost, wrong', String(comparison.findings.length)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...batches
      .filter((batch) => !hasEnded(batch))
      .map(({ batchId, status, counts }) => `${batchId} has not ended: ${status} ${JSON.stringify(counts)}`),
    ...comparison.findings.map(({ kind, what, why }) => `${kind}: ${what}: ${why}`),
  ].join('\n');
};
