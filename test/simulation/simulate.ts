import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { defects } from './defects/defects.ts';
import type { Ran } from './in-worker.ts';
import { inWorker } from './in-worker.ts';
import type { Violation } from './invariants/violation.ts';
import type { WorkloadName } from './run-seed.ts';
import { runSeed, workloads } from './run-seed.ts';
import { describeHistory } from './world/history.ts';

const usage = `npm run simulate -- [--seeds N] [--from SEED] [--workers N]   N seeds (1000), and the history of a seed that fails
npm run simulate -- --seed SEED                                one seed, its whole history
npm run simulate -- --defects [--seeds N] [--only TEXT]        each deliberate defect, and the seed that caught it
  --workload first|second                                      files of one generator only`;

const describeViolation = (seed: number, { invariant, detail }: Violation): string =>
  `seed ${seed} breaks a promise: ${invariant}\n  ${detail}`;

const showSeed = async (seed: number, isWhole: boolean, only?: WorkloadName): Promise<boolean> => {
  const { violation, workload, entries, hash, events, payments } = await runSeed(seed, true, only);
  console.log(describeHistory(entries, isWhole || violation === undefined ? {} : violation.subject));
  console.log(`\nseed ${seed} (${workload} workload): ${events} events, ${payments} payments, history ${hash}`);
  if (violation !== undefined) console.log(describeViolation(seed, violation));
  return violation === undefined;
};

/** Spreads seeds over all workers. True when none breaks a promise. */
const simulate = async (
  from: number,
  seeds: number,
  workers: number,
  only: WorkloadName | undefined,
): Promise<boolean> => {
  const began = performance.now();
  const totals = { seeds: 0, events: 0, payments: 0, first: 0, second: 0 };
  let worst: Ran | undefined;
  const all = Array.from({ length: workers }, (_, index) =>
    inWorker({ first: from + index, step: workers, count: Math.ceil((seeds - index) / workers), only }, (ran) => {
      totals.seeds += 1;
      totals[ran.workload] += 1;
      totals.events += ran.events;
      totals.payments += ran.payments;
      if (ran.violation !== undefined && (worst === undefined || ran.seed < worst.seed)) worst = ran;
      if (ran.violation !== undefined) for (const { stop } of all) stop();
      if (totals.seeds % 1000 === 0) console.log(`${totals.seeds} seeds`);
    }),
  );
  await Promise.all(all.map(({ done }) => done));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000 / totals.seeds;
  console.log(
    `${totals.seeds} seeds in ${seconds.toFixed(1)} s: ${(totals.seeds / seconds).toFixed(1)} seeds/s with ${workers} workers, ` +
      `${cpuMs.toFixed(1)} ms of processor time a seed; ${totals.events} events, ${totals.payments} payments`,
  );
  console.log(workloads.map((name) => `${totals[name]} with the ${name} workload`).join(', '));
  if (worst?.violation === undefined) {
    console.log('no promise was broken');
    return true;
  }
  await showSeed(worst.seed, false, only);
  return false;
};

interface Caught {
  readonly name: string;
  readonly seeds: number;
  readonly caught: Ran | undefined;
}

/** Runs each defect by itself, several at a time. Returns how it was caught, or that it was not. */
const tryDefects = async (
  names: readonly string[],
  seeds: number,
  workers: number,
  only: WorkloadName | undefined,
): Promise<readonly Caught[]> => {
  const results: Caught[] = [];
  const left = [...names];
  const next = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      let caught: Ran | undefined;
      let tried = 0;
      await inWorker({ first: 1, count: seeds, defect: name, only }, (ran) => {
        tried += 1;
        if (ran.violation !== undefined) caught = ran;
      }).done;
      results.push({ name, seeds: tried, caught });
      console.log(lineOf({ name, seeds: tried, caught }));
    }
  };
  await Promise.all(Array.from({ length: workers }, next));
  return results;
};

const lineOf = ({ name, seeds, caught }: Caught): string => {
  const how =
    caught?.violation === undefined
      ? ['-', `NOT CAUGHT in ${seeds} seeds`]
      : [String(caught.seed), caught.violation.invariant];
  return `| ${name.padEnd(52)} | ${(how[0] ?? '').padStart(5)} | ${how[1]?.padEnd(28)} |`;
};

const main = async (): Promise<boolean> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
      defects: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      workload: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const workers = Number(values.workers);
  const only = workloads.find((name) => name === values.workload);
  if (only === undefined && values.workload !== undefined) throw new Error(`there is no workload "${values.workload}"`);
  if (values.seed !== undefined) return showSeed(Number(values.seed), true, only);
  if (!values.defects) return simulate(Number(values.from), Number(values.seeds ?? '1000'), workers, only);
  const names = defects.map(({ name }) => name).filter((name) => name.includes(values.only));
  console.log(`| ${'defect'.padEnd(52)} | ${'seed'.padStart(5)} | ${'promise broken'.padEnd(28)} |`);
  const results = await tryDefects(names, Number(values.seeds ?? '2000'), workers, only);
  const missed = results.filter(({ caught }) => caught === undefined);
  console.log(`${results.length - missed.length} of ${results.length} defects were caught`);
  return missed.length === 0;
};

process.exitCode = (await main()) ? 0 : 1;
