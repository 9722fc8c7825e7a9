import { getBatch } from '../../../functions/api/batches/get-batch.ts';
import { watchBatches } from '../../../functions/watch/watch-batches.ts';
import { Timeline } from '../../simulation/world/timeline.ts';
import { chanceOf } from '../../support/chance.ts';
import { day, hour, minute } from '../../support/durations.ts';
import type { TableChange } from '../../support/memory-table/options.ts';
import { ObservedPayouts, quantile } from './observed-payouts.ts';
import { banks, planBatch } from './planned-batch.ts';
import { ScalingService } from './scaling-service.ts';
import { drawSettlementMs } from './settlement.ts';
import { defaults, providerLimits, VirtualAws } from './virtual-aws.ts';

export interface OutageMeasure {
  readonly outage: {
    readonly rows: number;
    readonly held: number;
    /** Minutes from the start of the batch until the other banks' payouts were paid, by the ledger. */
    readonly othersPaidMinutes: { readonly median: number; readonly p99: number; readonly last: number };
    /** The same for payouts to the bank that was down. */
    readonly heldPaidMinutes: { readonly first: number; readonly last: number };
    /** Everything that an operator could see or was notified of, in order. */
    readonly timeline: readonly { readonly minutes: number; readonly what: string }[];
  };
}

const startedAt = Date.parse('2031-01-31T08:00:00.000Z');
const batchId = 'b-payroll';
const bankDown = banks[3];
const watchEveryMs = defaults.watchMinutes * minute;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Pays a payroll while one of its banks is down for two days, on virtual time, and looks at it as an operator does. */
export const measureOutage = async (
  say: (line: string) => void,
  rows = 10_000,
  downMs = 2 * day,
): Promise<OutageMeasure> => {
  const timeline = new Timeline(startedAt);
  const chance = chanceOf(6);
  const lives = chance.fork('lives');
  const seenByOperator: { readonly minutes: number; readonly what: string }[] = [];
  const note = (what: string): void => {
    seenByOperator.push({ minutes: rounded((timeline.now - startedAt) / minute), what });
  };
  const observed = new ObservedPayouts(
    () => timeline.now,
    () => note('every payout of the other banks and of all wallets has ended'),
  );
  const service = new ScalingService({
    timeline,
    limits: providerLimits,
    lifeOf: ({ reference, destination }) => {
      const isDown = destination['bankCode'] === bankDown;
      observed.sent(reference, batchId, isDown);
      const waitMs = isDown ? Math.max(0, startedAt + downMs - timeline.now) : 0;
      return [{ inMs: waitMs + drawSettlementMs(lives), word: 'completed' }];
    },
    onChange: ({ reference, word }) => {
      if (word === 'completed') observed.ended(reference);
    },
  });
  const aws = new VirtualAws({
    timeline,
    chance: chance.fork('aws'),
    limits: providerLimits,
    http: service.http,
    onWrite: (changes) => {
      observed.wrote(changes);
      for (const one of reportsIn(changes)) note(one);
    },
    onLog: (level, code) => {
      if (level === 'alarm') note(`alarm ${code}`);
    },
  });

  const seen = new Map<string, number | undefined>();
  const look = async (): Promise<void> => {
    const workflow = {
      stateOf: async (name: string) =>
        aws.executions.get(name)?.status === 'running' ? ('running' as const) : ('over' as const),
      start: async () => 'running' as const,
    };
    await aws.run('WatchBatches', (environment) => watchBatches({ ...environment, workflow }));
    const settings = defaults.orchestrator;
    const outcome = await getBatch(
      { ledger: aws.ledger, workflow: { consoleUrl: (name) => name }, settings, clock: () => timeline.now },
      { path: { batchId }, query: {} },
    );
    if (outcome.kind === 'problem') throw new Error('the batch does not exist');
    const { attention, status } = outcome.body;
    const now = new Map(attention.map(({ code, count }) => [code, count]));
    for (const [code, count] of now) {
      const payouts = count === undefined ? '' : `, ${count} payouts`;
      if (!seen.has(code)) note(`attention ${code}${payouts} (batch ${status})`);
    }
    for (const code of seen.keys()) if (!now.has(code)) note(`attention ${code} is gone (batch ${status})`);
    seen.clear();
    for (const [code, count] of now) seen.set(code, count);
  };
  const lookAgain = (): void => {
    void look();
    timeline.in(watchEveryMs, lookAgain);
  };

  observed.expect(batchId, rows);
  say(
    `Paying ${rows.toLocaleString('en-US')} payouts on virtual time while bank ${bankDown} is down for ${Math.round(downMs / hour)} hours`,
  );
  const execution = aws.start(planBatch(batchId, rows, startedAt));
  timeline.in(watchEveryMs, lookAgain);
  let endedAt: number | undefined;
  // Two more looks than the execution lasts, so that ends are reported too.
  await timeline.run(Number.MAX_SAFE_INTEGER, () => {
    if (execution.status !== 'running' && endedAt === undefined) {
      endedAt = timeline.now;
      note(`the execution has ${execution.status}`);
    }
    return endedAt !== undefined && timeline.now > endedAt + 2 * watchEveryMs;
  });
  const [others, held] = [false, true].map((isHeld) => observed.shownAfter(batchId, startedAt, isHeld));
  if (others === undefined || held === undefined || others.length + held.length !== rows)
    throw new Error('not every payout ended');
  const minutes = (ms: number | undefined): number => rounded((ms ?? Number.NaN) / minute);
  return {
    outage: {
      rows,
      held: held.length,
      othersPaidMinutes: {
        median: minutes(quantile(others, 0.5)),
        p99: minutes(quantile(others, 0.99)),
        last: minutes(others.at(-1)),
      },
      heldPaidMinutes: { first: minutes(held[0]), last: minutes(held.at(-1)) },
      timeline: seenByOperator,
    },
  };
};

/** Reports that a write names for the first time. */
function* reportsIn(changes: readonly TableChange[]): Generator<string> {
  for (const { before, after } of changes) {
    if (after?.['sk'] !== 'BATCH' || after['report'] === undefined || after['report'] === before?.['report']) continue;
    const report = Object(after['report']);
    if (report.reportedAt === Object(before?.['report']).reportedAt) continue;
    yield report.interim === undefined ? 'final reports' : `interim reports, ${report.interim.openRows} rows open`;
  }
}
