import { setTimeout as wait } from 'node:timers/promises';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { batchView, hasEnded } from '../../../functions/api/schemas/batch.ts';
import { describeProgress } from '../../../infra/local/batch/run-batch.ts';
import type { OperatorClient } from '../../../infra/local/operator-client.ts';
import { isInDoubt } from '../truth/conversions.ts';
import { sendUntilAnswered } from './send-until-answered.ts';
import type { SettledConversion } from './settle-conversions.ts';
import { settleConversions } from './settle-conversions.ts';

/** An operator's act on a batch, once this share of its payouts has been submitted. */
export interface Intervention {
  readonly after: number;
  readonly act: 'pause' | 'cancel';
  /** Seconds until a paused batch is resumed. */
  readonly seconds: number;
}

export interface SteeredBatch {
  readonly batch: BatchView;
  /** Acts on the batch with their reasons: `paused`, `resumed after credentials_refused`. */
  readonly deeds: readonly string[];
  /** Conversions in doubt that were settled. */
  readonly settled: readonly SettledConversion[];
}

const partSubmitted = ({ plan, counts }: BatchView): number =>
  plan === undefined ? 0 : 1 - (counts.ready ?? plan.validRows) / plan.validRows;

const isOver = (batch: BatchView): boolean => hasEnded(batch) && !batch.conversions.some(isInDoubt);

/**
 * Follows a batch to its end as an operator who also intervenes. It is resumed when it pauses itself, and after minutes without
 * a change, which is harmless to a batch in progress. Conversions in doubt are settled, even after its end.
 *
 * @throws Error when the batch has not ended by the deadline (milliseconds since 1970)
 */
export const steerBatch = async (
  operator: OperatorClient,
  batchId: string,
  interventions: readonly Intervention[],
  deadline: number,
  say: (line: string) => void,
): Promise<SteeredBatch> => {
  const deeds: string[] = [];
  const settled: SettledConversion[] = [];
  const left = [...interventions];
  let lastLine = '';
  let saidAt = Date.now();
  const act = async (action: 'pause' | 'resume' | 'cancel', deed: string): Promise<void> => {
    const { status } = await sendUntilAnswered(operator, { method: 'POST', path: `/batches/${batchId}/${action}` });
    deeds.push(status < 300 ? deed : `${deed} (${status})`);
    say(status < 300 ? deed : `${deed}, answered with ${status}`);
  };
  for (;;) {
    const batch = batchView.parse(
      (await sendUntilAnswered(operator, { method: 'GET', path: `/batches/${batchId}` })).body,
    );
    const line = describeProgress(batch);
    if (line !== lastLine) {
      say(line);
      saidAt = Date.now();
    }
    lastLine = line;
    for (const one of await settleConversions(operator, batch)) {
      settled.push(one);
      say(`conversion ${one.n} settled as ${one.decision}: ${one.why}`);
    }
    if (isOver(batch)) return { batch, deeds, settled };
    if (Date.now() > deadline) throw new Error(`${batchId} has not ended: ${line} ${JSON.stringify(batch.reason)}`);
    const [next] = left;
    if (batch.status === 'paused') {
      await wait(1000);
      await act('resume', `resumed after ${batch.reason?.code ?? 'no reason'}`);
    } else if (next !== undefined && batch.status === 'processing' && partSubmitted(batch) >= next.after) {
      left.shift();
      await act(next.act, next.act === 'pause' ? 'paused' : 'canceled');
      await wait(next.seconds * 1000);
    } else if (Date.now() - saidAt > 180_000) {
      await act('resume', `resumed while ${batch.status}, after minutes without a change`);
      saidAt = Date.now();
    }
    await wait(2500);
  }
};
