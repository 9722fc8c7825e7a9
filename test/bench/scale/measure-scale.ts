import type { Usage } from '../../../infra/local/costs/price-list.ts';
import { costOf, totalUsd } from '../../../infra/local/costs/price-list.ts';
import { Timeline } from '../../simulation/world/timeline.ts';
import { chanceOf } from '../../support/chance.ts';
import { hour } from '../../support/durations.ts';
import { ObservedPayouts, quantile } from './observed-payouts.ts';
import { planBatch } from './planned-batch.ts';
import type { Payment } from './scaling-service.ts';
import { ScalingService } from './scaling-service.ts';
import { drawLife, usualSettlement } from './settlement.ts';
import { defaults, providerLimits, VirtualAws } from './virtual-aws.ts';

export interface ScaleMeasure {
  readonly 'scale.sentBy': number;
  readonly 'scale.lateBy': number;
  readonly 'scale.heldUpBy': number;
  readonly 'scale.smallBatchSeconds': number;
  readonly 'scale.peakWritesPerSecond': number;
  readonly 'scale.readsPer1000': number;
  readonly 'scale.usdPer1000': number;
  readonly 'scale.usdPerHeldDay': number;
  readonly scale: {
    readonly rows: number;
    readonly calls: number;
    readonly held: number;
    readonly sentSeconds: number;
    /** Write units of the busiest second among the first five, when the first chunks are submitted. */
    readonly peakWritesAtStart: number;
    readonly lateSeconds: { readonly median: number; readonly p99: number; readonly most: number };
    readonly settledHours: number;
    readonly endedHours: number;
    readonly sweeps: number;
    readonly interimReports: number;
    readonly reads: Readonly<Record<string, number>>;
    readonly proofs: number;
    readonly refused: number;
    /** Per 1,000 payouts, by the lines of the price list. */
    readonly usd: Readonly<Record<string, number>>;
    /** Payouts without an end in the ledger when the batch ended. */
    readonly withoutEnd: number;
  };
}

const startedAt = Date.parse('2031-01-01T08:00:00.000Z');
const [large, small] = ['b-large', 'b-small'];
const smallRows = 100;

const rounded = (value: number, decimals = 2): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

const minus = (one: Usage, other: Usage): Usage => ({
  stateTransitions: one.stateTransitions - other.stateTransitions,
  lambdaRequests: one.lambdaRequests - other.lambdaRequests,
  lambdaMbMs: one.lambdaMbMs - other.lambdaMbMs,
  tableWriteUnits: one.tableWriteUnits - other.tableWriteUnits,
  tableReadUnits: one.tableReadUnits - other.tableReadUnits,
  s3Writes: one.s3Writes - other.s3Writes,
  s3Reads: one.s3Reads - other.s3Reads,
  apiRequests: one.apiRequests - other.apiRequests,
});

const usdOf = (usage: Usage): number => Number(totalUsd(costOf(usage)));

/**
 * Pays a large batch, and a small one that starts while the large one is being submitted, on virtual time. Uses the real steps in
 * the order of the state machine's definition.
 */
export const measureScale = async (
  say: (line: string) => void,
  rows = 100_000,
  settlement = usualSettlement,
): Promise<ScaleMeasure> => {
  const timeline = new Timeline(startedAt);
  const chance = chanceOf(12);
  const lives = chance.fork('lives');
  let held = 0;
  const logged = new Map<string, number>();

  const batchOf = ({ reference }: Payment): string => (reference.startsWith(small) ? small : large);
  const service = new ScalingService({
    timeline,
    limits: providerLimits,
    lifeOf: (payment) => {
      // The small batch tests only the beginning, so it ends soon.
      if (batchOf(payment) === small) {
        observed.sent(payment.reference, small, false);
        return [{ inMs: 60_000, word: 'completed' }];
      }
      const life = drawLife(lives, payment.rail, settlement);
      if (life.isHeld) held += 1;
      observed.sent(payment.reference, large, life.isHeld);
      return life.turns;
    },
    onChange: ({ reference, word }) => {
      if (word === 'completed' || word === 'failed') observed.ended(reference);
    },
  });
  const aws = new VirtualAws({
    timeline,
    chance: chance.fork('aws'),
    limits: providerLimits,
    http: service.http,
    onWrite: (changes) => observed.wrote(changes),
    onLog: (_level, code) => logged.set(code, (logged.get(code) ?? 0) + 1),
  });
  let settled:
    | { readonly at: number; readonly usage: Usage; readonly reads: number; readonly byList: object }
    | undefined;
  const heldDay: Usage[] = [];
  const observed = new ObservedPayouts(
    () => timeline.now,
    (batchId) => {
      if (batchId !== large) return;
      settled = {
        at: timeline.now,
        usage: aws.usage,
        reads: service.reads,
        byList: Object.fromEntries(service.counts.reads),
      };
      // A little later the rest of their work is done. For another day only held payouts cost anything.
      const third = settlement.heldMs / 3;
      for (const afterMs of [third / 24, third / 24 + third]) timeline.in(afterMs, () => heldDay.push(aws.usage));
    },
  );

  const planned = planBatch(large, rows, startedAt);
  const calls = planned.chunks.length;
  const allSentMs = (calls / providerLimits.post) * 1000;
  observed.expect(large, rows);
  observed.expect(small, smallRows);
  say(`Paying ${rows.toLocaleString('en-US')} payouts in ${calls.toLocaleString('en-US')} calls on virtual time`);
  aws.start(planned);
  let smallStartedAt = 0;
  timeline.in(allSentMs / 2, () => {
    smallStartedAt = timeline.now;
    aws.start(planBatch(small, smallRows, timeline.now));
  });
  let peakWritesAtStart = 0;
  timeline.in(5000, () => {
    peakWritesAtStart = aws.peakWritesPerSecond;
  });
  let unsent = 0;
  // One and a half times the time of all calls, plus a minute. A row not sent by then waits for something else.
  timeline.in(allSentMs * 1.5 + 60_000, () => {
    unsent = rows - observed.sentAfter(large, startedAt).length;
  });
  const isOver = (): boolean =>
    aws.executions.size === 2 && [...aws.executions.values()].every(({ status }) => status !== 'running');
  await timeline.run(Number.MAX_SAFE_INTEGER, isOver);

  const batch = await timeline.wait(aws.ledger.getBatch(large));
  if (settled === undefined || batch?.report === undefined) throw new Error('the batch did not end');
  const sent = observed.sentAfter(large, startedAt);
  const late = observed.lateness(large);
  const usd = costOf(settled.usage);
  const [from, until] = heldDay;
  if (from === undefined || until === undefined) throw new Error('nothing was held for a day');
  const p99 = quantile(late, 0.99) / 1000;
  return {
    'scale.sentBy': rounded((sent.at(-1) ?? Number.NaN) / allSentMs, 3),
    'scale.lateBy': rounded(p99 / defaults.orchestrator.pollMaxSeconds, 3),
    'scale.heldUpBy': unsent,
    'scale.smallBatchSeconds': rounded((observed.sentAfter(small, smallStartedAt).at(-1) ?? Number.NaN) / 1000),
    'scale.peakWritesPerSecond': aws.peakWritesPerSecond,
    'scale.readsPer1000': rounded((settled.reads * 1000) / rows, 1),
    'scale.usdPer1000': rounded((usdOf(settled.usage) * 1000) / rows, 5),
    'scale.usdPerHeldDay': rounded(usdOf(minus(until, from)), 4),
    scale: {
      rows,
      calls,
      held,
      sentSeconds: rounded((sent.at(-1) ?? Number.NaN) / 1000),
      peakWritesAtStart,
      lateSeconds: {
        median: rounded(quantile(late, 0.5) / 1000),
        p99: rounded(p99),
        most: rounded((late.at(-1) ?? 0) / 1000),
      },
      settledHours: rounded((settled.at - startedAt) / hour),
      endedHours: rounded((timeline.now - startedAt) / hour),
      sweeps: logged.get('follow.swept') ?? 0,
      interimReports: (aws.invocations.get('ReportBatch') ?? 0) - 2,
      reads: { ...settled.byList },
      proofs: service.counts.proofs,
      refused: service.counts.refused,
      usd: Object.fromEntries(usd.map((line) => [line.what, rounded((Number(line.usd) * 1000) / rows, 5)])),
      withoutEnd: rows - late.length,
    },
  };
};
