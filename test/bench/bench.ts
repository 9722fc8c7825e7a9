import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { localFolder } from '../../infra/local/paths.ts';
import { PlainError } from '../../infra/local/plain-error.ts';
import { runCommand } from '../../infra/local/run-command.ts';
import { measureBatch } from './batch-run/measure-batch.ts';
import { measureLarge } from './batch-run/measure-large.ts';
import { judge } from './bounds.ts';
import { measureFunctions } from './cold-start/measure-functions.ts';
import { measureLists } from './lists/measure-lists.ts';
import { withMeteredAws } from './metering/metered-aws.ts';
import { measureNaive } from './naive/measure-naive.ts';
import { measurePlanning } from './planning/measure-planning.ts';
import type { BenchResults } from './results.ts';
import { measureOutage } from './scale/measure-outage.ts';
import { measureScale } from './scale/measure-scale.ts';
import { outageTable, scaleTable } from './scale/tables.ts';
import { measureStatus } from './status/measure-status.ts';
import {
  boundsTable,
  functionsTable,
  largeTable,
  listsTable,
  planningTable,
  statusTable,
  workflowTable,
} from './tables.ts';

type Say = (line: string) => void;

interface Measured {
  readonly results: BenchResults;
  readonly table: string;
}

const planning = async (say: Say): Promise<Measured> => {
  const results = await measurePlanning(say);
  return { results, table: planningTable(results) };
};

/** 18 full chunks of bank transfers and 3 of wallet transfers. */
const comparedPayouts = 2058;

const workflow = async (say: Say): Promise<Measured> => {
  const { batch, naive } = await withMeteredAws(say, async (aws) => ({
    batch: await measureBatch(aws, comparedPayouts, say),
    naive: await measureNaive(aws, say),
  }));
  const results = { ...batch, naiveUsdPer1000: naive.usdPer1000, naive };
  return { results, table: workflowTable(batch, naive) };
};

const large = async (say: Say): Promise<Measured> => {
  const results = await withMeteredAws(say, (aws) => measureLarge(aws, say));
  return { results, table: largeTable(results) };
};

const coldStart = async (say: Say): Promise<Measured> => {
  const results = await measureFunctions(say);
  return { results, table: functionsTable(results) };
};

const lists = async (say: Say): Promise<Measured> => {
  const results = await measureLists(say);
  return { results, table: listsTable(results) };
};

const status = async (say: Say): Promise<Measured> => {
  const results = await measureStatus(say);
  return { results, table: statusTable(results) };
};

const scale = async (say: Say): Promise<Measured> => {
  const results = await measureScale(say);
  return { results, table: scaleTable(results) };
};

const outage = async (say: Say): Promise<Measured> => {
  const results = await measureOutage(say);
  return { results, table: outageTable(results) };
};

const parts = new Map([
  ['plan', planning],
  ['workflow', workflow],
  ['functions', coldStart],
  ['lists', lists],
  ['status', status],
  ['scale', scale],
  ['outage', outage],
  ['large', large],
]);

const file = path.join(localFolder, 'bench.json');

/** Writes the results and compares them with the bounds. True when every measured bound is met. */
const conclude = async (results: BenchResults): Promise<boolean> => {
  const judged = judge(results);
  await mkdir(localFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  if (judged.length > 0) console.log(`\n${boundsTable(judged)}`);
  console.log(`\nWritten to ${path.relative(process.cwd(), file)}.`);
  return judged.every(({ met }) => met);
};

/** `npm run bench -- part`. */
const benchPart = async (name: string): Promise<boolean> => {
  const measure = parts.get(name);
  if (measure === undefined) {
    throw new PlainError(`There is no part "${name}". Use one of ${[...parts.keys()].join(', ')}, or no name for all.`);
  }
  const measured = await measure((line) => console.error(`· ${line}`));
  console.log(`\n${measured.table}\n`);
  return await conclude(measured.results);
};

/** Runs a part in a process of its own, so that parts share no memory, modules or local AWS. */
const runPart = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), name], { stdio: 'inherit' });
    const end = (): void => void child.kill();
    process.once('exit', end);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', end);
      resolve(code === 0);
    });
  });

/** `npm run bench`. A part that fails does not stop the others. */
const benchAll = async (): Promise<boolean> => {
  let results: BenchResults = {};
  let areGood = true;
  for (const name of parts.keys()) {
    await rm(file, { force: true });
    areGood = (await runPart(name)) && areGood;
    const measured: BenchResults = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {};
    results = { ...results, ...measured };
  }
  return (await conclude(results)) && areGood;
};

const [, , name] = process.argv;
await runCommand(() => (name === undefined ? benchAll() : benchPart(name)));
