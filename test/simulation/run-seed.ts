import type { Batch } from '../../functions/domain/batch/batch.ts';
import { InvariantBroken } from '../../functions/domain/errors.ts';
import type { OrchestratorSettings } from '../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { readBatch } from '../../functions/ledger/batches/batch-codec.ts';
import { storedWebhookFilter } from '../../functions/ledger/table/table.ts';
import type { Chance } from '../support/chance.ts';
import { chanceOf } from '../support/chance.ts';
import { MemoryBucket } from '../support/memory-bucket.ts';
import type { Item } from '../support/memory-table/expressions.ts';
import { memoryLedgerTable } from '../support/memory-table/ledger-table.ts';
import { withCautions } from './draw/draw-cautions.ts';
import { withCorrections } from './draw/draw-corrections.ts';
import { unclearWords } from './draw/draw-terms.ts';
import type { MeantBatch, Scenario, Span } from './draw/scenario.ts';
import { drawScenario } from './draw/scenario.ts';
import { checkAtTheEnd } from './invariants/final-checks.ts';
import type { Violation } from './invariants/violation.ts';
import { CautionsWatch } from './invariants/watch-cautions.ts';
import { ConversionWatch } from './invariants/watch-conversions.ts';
import { FundsWatch } from './invariants/watch-funds.ts';
import { HintWatch } from './invariants/watch-hints.ts';
import { LedgerWatch } from './invariants/watch-ledger.ts';
import { ProgressWatch } from './invariants/watch-progress.ts';
import { ProviderWatch } from './invariants/watch-provider.ts';
import { ReleaseWatch } from './invariants/watch-release.ts';
import { Network } from './provider/network.ts';
import { Service } from './provider/service.ts';
import { Truth } from './provider/truth.ts';
import { isReconciled, reconcileHourly } from './reconciliation.ts';
import { readDefinition } from './workflow/definition.ts';
import { mostEvents as historyEvents } from './workflow/event-history.ts';
import { StateMachine } from './workflow/state-machine.ts';
import { Functions } from './world/functions.ts';
import type { Entry } from './world/history.ts';
import { History } from './world/history.ts';
import { Intruder } from './world/intruder.ts';
import { Operators } from './world/operators.ts';
import { SimulatedSchedules } from './world/schedules.ts';
import { drawSecondWorkload } from './world/second-workload.ts';
import { withStory } from './world/stories.ts';
import { Timeline } from './world/timeline.ts';
import { Watch } from './world/watch.ts';
import { drawWeather } from './world/weather.ts';
import { Webhooks } from './world/webhooks.ts';

/** Two independently written generators of files. */
export const workloads = ['first', 'second'] as const;
export type WorkloadName = (typeof workloads)[number];

export interface SeedResult {
  readonly seed: number;
  /** The generator of its files. */
  readonly workload: WorkloadName;
  readonly violation: Violation | undefined;
  /** Hash of all events in their order. */
  readonly hash: string;
  readonly events: number;
  readonly payments: number;
  readonly entries: readonly Entry[];
}

const start = Date.parse('2026-03-02T08:00:00Z');
/** Payments that take days under a low rate limit come to half a million. */
const mostEvents = 1_000_000;
const mostMs = 20 * 86_400_000;
/** How long paused batches stay so once faults end. */
const leftPausedMs = 3 * 3_600_000;
/** Time that operators need to settle everything at the end. */
const settlingMs = 4 * 3_600_000;
/** Time for functions that nobody waits for anymore. */
const aftermathMs = 30 * 60_000;
const [webhookKey] = storedWebhookFilter.dynamodb.NewImage.sk.S;
/** Maximum events of a sweep: nine of its Task, a Choice and a Wait, and one left for its reports. */
const sweepEvents = 10;
/** Milliseconds for which a used fiat reference is refused in words that a reader recognizes. */
const namesTakenMs = ({ refusesFiatReference, takenWords, uniqueHours }: Scenario['terms']): number => {
  if (!refusesFiatReference || takenWords === unclearWords) return 0;
  return uniqueHours === 'forever' ? Number.POSITIVE_INFINITY : uniqueHours * 3_600_000;
};
/** The history's fixed part does not depend on the number of sweeps that the settings allow. */
const historyOf = ({ sweepsPerExecution }: OrchestratorSettings): number =>
  historyEvents - sweepEvents * (orchestratorSettings().parse({}).sweepsPerExecution - sweepsPerExecution);
/** States in which an execution ends or records its end. Until then it overlaps with its successor. */
const lastStates: readonly string[] = [
  'RecordFailure',
  'ReportBatch',
  'Is every payout accounted for?',
  'HandOver',
  'HandedOver',
  'AwaitStart',
  'Is it time?',
  'BatchScheduled',
  'BatchEnded',
  'BatchNeedsAttention',
];

/** The generator that draws the seed's files. Each has half of the seeds. */
const workloadOf = (chance: Chance): WorkloadName => (chance.fork('workload').happens(0.5) ? 'second' : 'first');

/** A generator draws only files. Terms, faults and settings do not depend on it. */
const scenarioOf = (chance: Chance, workload: WorkloadName): Scenario => {
  const scenario = drawScenario(chance.fork('scenario'));
  const drawn =
    workload === 'first'
      ? scenario
      : withCorrections(
          { ...scenario, ...drawSecondWorkload(chance.fork('second workload')) },
          chance.fork('corrections'),
        );
  return withStory(withCautions(drawn, chance.fork('cautions')), chance.fork('tale'));
};

/**
 * Runs one seed from the start of its batches until all have ended, and checks every promise.
 *
 * @param hasWords true to keep the history in words
 * @param only the generator that draws its files, instead of the seed's choice
 */
export const runSeed = async (seed: number, hasWords = false, only?: WorkloadName): Promise<SeedResult> => {
  const chance = chanceOf(seed);
  const workload = only ?? workloadOf(chance);
  const scenario = scenarioOf(chance, workload);
  const timeline = new Timeline(start);
  const weather = drawWeather(chance.fork('weather'), start, scenario);
  const history = new History(timeline, hasWords);
  const violations: Violation[] = [];
  const report = (invariant: string, detail: string, subject = {}): void => {
    violations.push({ invariant, detail, subject });
    history.record('THE RUN', 'BREAKS', () => `${invariant}: ${detail}`, JSON.stringify(subject));
  };

  let writer = '';
  let isRefused = false;
  let isRouteLost = false;
  const truth = new Truth(timeline);
  for (const [currency, amount] of scenario.balances) truth.add(currency, amount);
  const service = new Service(truth, scenario.terms, timeline, chance.fork('service'));
  const ledgerChance = chance.fork('ledger reads');
  const table = memoryLedgerTable({
    isBehind: () => timeline.now < weather.until && ledgerChance.happens(weather.ledger.behind),
    onWrite: (changes) => {
      ledgerWatch.wrote(changes);
      progressWatch.wrote(changes);
      fundsWatch.wrote(changes);
      releaseWatch.wrote(changes);
      cautionsWatch.wrote(changes);
      for (const { before, after } of changes) {
        if (before === undefined && after?.['status'] === 'ready') payEarly(after);
        if (after?.['sk'] === webhookKey) webhooks.stored(after);
        if (after?.['sk'] === 'BATCH') batchIs(readBatch(after));
        if (after?.['sk'] === 'BATCH' && writer.startsWith('WatchBatches ')) watch?.wrote(after);
      }
    },
  });
  const providerWatch = new ProviderWatch({
    truth,
    history,
    report,
    table: () => table,
    rowsOf: (reference) => operators.debts.rowsOf(reference),
  });
  const hintWatch = new HintWatch(truth, report);
  const network = new Network({
    timeline,
    chance: chance.fork('network'),
    weather,
    service,
    rate: scenario.terms.rate,
    history,
    areCredentialsRefused: () => isRefused,
    isRouteLost: () => isRouteLost,
    onPost: (path, body) => providerWatch.posts(path, body),
    onRequest: (actor, path) => hintWatch.asksProvider(actor, path),
  });
  const ledgerWatch = new LedgerWatch({
    truth,
    history,
    report,
    table: () => table,
    writer: () => writer,
    underWay: (reference) => network.underWay(reference),
    settings: scenario.settings,
    namesTakenMs: namesTakenMs(scenario.terms),
  });
  const fundsWatch = new FundsWatch(timeline, () => writer, report);
  const conversionWatch = new ConversionWatch({ timeline, truth, report, table: () => table, terms: scenario.terms });
  const releaseWatch = new ReleaseWatch({
    table: () => table,
    settings: scenario.settings,
    meant: scenario.batches,
    timeline,
    startsAt: (key) => operators.startsAt.get(key),
    report,
  });
  const cautionsWatch = new CautionsWatch({ timeline, table: () => table, meant: scenario.batches, report });
  const { credentialsRefused, routeLost, refusesAll } = scenario;
  const clearAt = Math.max(
    weather.until,
    weather.storm?.until ?? 0,
    ...[credentialsRefused, routeLost, refusesAll].map((span) => start + (span?.toMs ?? 0)),
  );
  const progressWatch = new ProgressWatch({
    timeline,
    truth,
    stateMachine: () => stateMachine,
    scenario,
    clearAt,
    report,
  });
  const bucket = new MemoryBucket();
  const intruder = new Intruder({ timeline, chance: chance.fork('intruder'), bucket, history });
  const batchIs = ({ batchId, status, plan }: Batch): void => {
    operators.batchIs(batchId, status);
    if (plan?.manifestKey !== undefined) intruder.sees(plan.prefix, plan.chunks);
  };
  const isWritten = ({ retryOf, corrects }: MeantBatch): boolean => retryOf === undefined && corrects === undefined;
  for (const { key, csv } of scenario.batches.filter(isWritten)) bucket.put(key, Buffer.from(csv));
  const alarms = new Set<string>();
  const functions = new Functions({
    timeline,
    chance: chance.fork('functions'),
    weather,
    history,
    table,
    bucket,
    network,
    settings: scenario.settings,
    traits: scenario.traits,
    limits: scenario.limits,
    stateMachine: () => stateMachine,
    schedules: () => schedules,
    onSend: (actor) => {
      writer = actor;
    },
    onAskLeave: (actor, reference) => hintWatch.asksLeave(actor, reference, timeline.now),
    onAlarm: (metric, batchId) => void alarms.add(`${metric} ${batchId}`),
    onError: (actor, error) => {
      if (!(error instanceof InvariantBroken)) return;
      const [, batchId, chunk] = /^\w+ ([0-9A-Z]+)(?:\.(\d+))?/.exec(actor) ?? [];
      const subject = { batchId, ...(chunk === undefined ? {} : { chunk: Number(chunk) }) };
      report('no broken invariant', `${actor}: ${error.message}`, subject);
    },
  });
  const schedules = new SimulatedSchedules({
    timeline,
    chance: chance.fork('schedules'),
    weather,
    functions: () => functions,
  });
  const stateMachine = new StateMachine(
    {
      timeline,
      history,
      mostEvents: historyOf(scenario.settings),
      invoke: (task, input) => functions.invoke(task, input),
      readItems: (key) => JSON.parse(bucket.content(key)?.toString('utf8') ?? ''),
      onBroken: (name, failure) =>
        report('the workflow goes on', `${name}: ${failure.Error} ${failure.Cause}`, {
          batchId: name.replace(/-\d+$/, ''),
        }),
      onTask: (name, task) => {
        const batchId = name.replace(/-\d+$/, '');
        const others = stateMachine
          .of(batchId)
          .filter((other) => other.name !== name && other.status === 'running' && !lastStates.includes(other.state));
        if (others.length === 0 || operators.redriven.has(batchId)) return;
        // A repeated step may record its own end again after its successor began.
        if (!lastStates.includes(task))
          report('one execution', `${task} of ${name} while ${others[0]?.name} runs`, { batchId });
      },
    },
    readDefinition({ SubmitsAtOnce: scenario.submitsAtOnce }),
  );
  const operators = new Operators({
    timeline,
    chance: chance.fork('operators'),
    history,
    functions,
    stateMachine,
    table,
    bucket,
    service,
    truth,
    leavesPausedUntil: scenario.isLeftPaused ? clearAt + leftPausedMs : 0,
    settledWithinMs: scenario.isSettled ? scenario.traits.rails.crypto.hiddenHours * 3_600_000 + settlingMs : 0,
    fixCredentials: () => {
      isRefused = false;
    },
    hasHaltAlarm: (batchId) => alarms.has(`BatchHalted ${batchId}`),
    reapplyWebhooks: () => webhooks.reapply(),
    onStarted: ({ key, overwritten }) => {
      if (overwritten === undefined) return;
      timeline.in(overwritten.afterMs, () => void bucket.put(key, Buffer.from(overwritten.csv)));
    },
  });
  const webhooks = new Webhooks(functions, timeline, chance.fork('webhooks'), weather);
  const watch = scenario.isWatched
    ? new Watch({
        timeline,
        weather,
        functions,
        stateMachine,
        table,
        settings: scenario.settings,
        redriven: operators.redriven,
        report,
      })
    : undefined;
  if (scenario.isReconciled) reconcileHourly(timeline, functions);
  truth.watch(providerWatch);
  truth.watch({
    created: () => {},
    changed: () => {},
    refusedForMoney: () => {},
    balancesRead: () => conversionWatch.balancesRead(),
    converted: (conversion) => conversionWatch.converted(conversion),
  });
  truth.watch({
    created: () => {},
    changed: (payment) => {
      if (payment.returnedAt === undefined) webhooks.changed(payment);
    },
    converted: () => {},
    refusedForMoney: () => {},
  });

  const earlyOutsiders = chance.fork('early outsiders');
  const arePaidEarly = earlyOutsiders.happens(0.1);
  /** In a tenth of the runs another system pays under references before we post them, and the provider reports it. */
  const payEarly = ({ reference, rail, currency, batchId }: Item): void => {
    if (!arePaidEarly || earlyOutsiders.happens(0.6)) return;
    // Chunks registered after a pause keep their payouts ready for long.
    if (earlyOutsiders.happens(0.3)) operators.act(String(batchId), 'pause');
    timeline.in(earlyOutsiders.between(0, 200), () => {
      const made = service.payAsOutsider(
        rail === 'fiat' ? 'fiat' : 'crypto',
        String(currency),
        String(reference),
        earlyOutsiders.happens(0.5),
      );
      for (const payment of made) {
        // Also while the batch is paused, because a payout may be ready for long.
        for (const within of [1, 60_000, 30 * 60_000])
          timeline.in(earlyOutsiders.between(0, within), () => webhooks.changed(payment));
      }
    });
  };

  for (const meant of scenario.batches) operators.look(meant);
  for (const { afterMs, currency, percent } of scenario.spenders)
    timeline.in(afterMs, () => truth.spend(currency, percent));
  for (const { row, afterMs } of scenario.outsiders) {
    const rail = row.currency === 'IDR' ? 'fiat' : 'crypto';
    timeline.in(afterMs, () => service.payAsOutsider(rail, row.currency, row.reference));
  }
  const during = (span: Span | undefined, set: (is: boolean) => void): void => {
    if (span === undefined) return;
    timeline.in(span.fromMs, () => set(true));
    timeline.in(span.toMs, () => set(false));
  };
  during(credentialsRefused, (is) => {
    isRefused = is;
  });
  during(routeLost, (is) => {
    isRouteLost = is;
  });
  during(refusesAll, (is) => {
    service.refusesAll = is;
  });

  let doneAt: number | undefined;
  const isOver = (): boolean => {
    if (violations.length > 0 || timeline.now > start + mostMs) return true;
    if (doneAt !== undefined && timeline.now <= doneAt + aftermathMs) return false;
    const isSettled = operators.isDone() && webhooks.isIdle();
    const isDone = isSettled && (!scenario.isReconciled || isReconciled(table));
    if (isDone && doneAt !== undefined) return true;
    doneAt = isDone ? timeline.now : undefined;
    return false;
  };
  try {
    await timeline.run(mostEvents, isOver);
    if (violations.length === 0) {
      const { duplicateWindowDays } = scenario.settings;
      const lateTurns = { days: scenario.settings.reconcileAfterDays, clearAt, alarms };
      checkAtTheEnd({ table, bucket, truth, debts: operators.debts, report, lateTurns, duplicateWindowDays });
    }
  } catch (error) {
    report('the simulation', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return {
    seed,
    workload,
    violation: violations[0],
    hash: history.hash,
    events: timeline.happened,
    payments: truth.payments.length,
    entries: history.entries,
  };
};
