import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { localFolder } from '../../infra/local/places.ts';
import { PlainError } from '../../infra/local/plain-error.ts';
import { measureBatch } from './batch-run/measure-batch.ts';
import { judge } from './bounds.ts';
import { measureFunctions } from './cold-start/measure-functions.ts';
import { measureLists } from './lists/measure-lists.ts';
import { withMeteredAws } from './metering/metered-aws.ts';
import { measureNaive } from './naive/measure-naive.ts';
import { measurePlanning } from './planning/measure-planning.ts';
import type { BenchResults } from './results.ts';
import { boundsTable, functionsTable, listsTable, planningTable, workflowTable } from './tables.ts';

type Say = (line: string) => void;

interface Measured {
  readonly results: BenchResults;
  readonly table: string;
}

async function planning(say: Say): Promise<Measured> {
  const results = await measurePlanning(say);
  return { results, table: planningTable(results) };
}

async function workflow(say: Say): Promise<Measured> {
  const { batch, naive } = await withMeteredAws(say, async (aws) => ({
    batch: await measureBatch(aws, say),
    naive: await measureNaive(aws, say),
  }));
  const results = { ...batch, naiveUsdPer1000: naive.usdPer1000, naive };
  return { results, table: workflowTable(batch, naive) };
}

async function coldStart(say: Say): Promise<Measured> {
  const functions = await measureFunctions(say);
  return { results: { functions }, table: functionsTable(functions) };
}

async function lists(say: Say): Promise<Measured> {
  const results = await measureLists(say);
  return { results, table: listsTable(results) };
}

const parts = new Map([
  ['plan', planning],
  ['workflow', workflow],
  ['functions', coldStart],
  ['lists', lists],
]);

/** The parts that the command line names: one, or all. */
function partsAskedFor(name: string | undefined): readonly ((say: Say) => Promise<Measured>)[] {
  if (name === undefined) return [...parts.values()];
  const part = parts.get(name);
  if (part !== undefined) return [part];
  throw new PlainError(
    `There is no part "${name}": it is one of ${[...parts.keys()].join(', ')}, or all without a name.`,
  );
}

/** `npm run bench [-- part]`. True when every bound that was measured is met. */
async function bench(name: string | undefined): Promise<boolean> {
  const say: Say = (line) => console.error(`· ${line}`);
  let results: BenchResults = {};
  for (const measure of partsAskedFor(name)) {
    const measured = await measure(say);
    results = { ...results, ...measured.results };
    console.log(`\n${measured.table}\n`);
  }
  const judged = judge(results);
  const file = path.join(localFolder, 'bench.json');
  await mkdir(localFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  if (judged.length > 0) console.log(`\n${boundsTable(judged)}`);
  console.log(`\nWritten to ${path.relative(process.cwd(), file)}.`);
  return judged.every(({ met }) => met);
}

try {
  process.exitCode = (await bench(process.argv[2])) ? 0 : 1;
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
