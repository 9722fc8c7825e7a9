import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { bundling } from '../../../infra/constructs/function-code.ts';
import { localFolder } from '../../../infra/local/paths.ts';
import { median } from '../averages.ts';
import { measuredProcess } from '../measured-process.ts';
import { clientsAmong, contentsOf, writeBareHandler } from './bare-handler.ts';
import { synthesizeFunctions } from './deployed-functions.ts';

export interface FunctionMeasure {
  readonly name: string;
  readonly bundleKb: number;
  /** Milliseconds to load the bundle in a fresh Node, median of five. */
  readonly initMs: number;
  /** Processor time of loading it, relative to a bare handler with the same SDK clients. Minimum of five each. */
  readonly initVsBare: number;
  /** The same, relative to that bare handler bundled with esbuild's defaults for Node. */
  readonly initVsDefaults: number;
  /** Kilobytes by package, the largest first. */
  readonly contentsKb: Readonly<Record<string, number>>;
}

export interface FunctionsMeasure {
  readonly functions: readonly FunctionMeasure[];
  /** The largest `initVsBare` of the functions that batches wait for (`functions/steps`), except PlanBatch. */
  readonly stepInitVsBare: number;
  /** That of PlanBatch, for which a batch waits once. It contains the readers and writers of every payout file format. */
  readonly planInitVsBare: number;
  /** The same two for `initVsDefaults`. */
  readonly stepInitVsDefaults: number;
  readonly planInitVsDefaults: number;
}

const imports = 5;
const planBatch = 'functions/steps/plan-batch.ts';
const kilobytes = (bytes: number): number => Math.round(bytes / 1024);
const importBundle = new URL('./import-bundle.ts', import.meta.url);
const importTime = z.strictObject({ milliseconds: z.number(), cpuMs: z.number() });
const leastCpuMs = (times: readonly z.infer<typeof importTime>[]): number =>
  Math.min(...times.map(({ cpuMs }) => cpuMs));

const ratioOf = (one: readonly z.infer<typeof importTime>[], other: readonly z.infer<typeof importTime>[]): number =>
  Math.round((leastCpuMs(one) / leastCpuMs(other)) * 100) / 100;

/** Bare handlers, bundled like functions and with esbuild's defaults. Written once per set of clients. */
const bareHandlersIn = (folder: string) => {
  const written = new Map<string, { readonly alike: string; readonly defaults: string }>();
  return (packages: Iterable<string>) => {
    const clients = clientsAmong(packages);
    const key = clients.join(' ');
    const known = written.get(key);
    if (known !== undefined) return known;
    const name = path.join(folder, `bare-${written.size}`);
    const files = { alike: `${name}.js`, defaults: `${name}-defaults.js` };
    writeBareHandler(clients, files.alike, bundling);
    writeBareHandler(clients, files.defaults, { bundle: true, platform: 'node' });
    written.set(key, files);
    return files;
  };
};

/** Bundles every function of both stacks as deployed, and loads each bundle several times. */
export const measureFunctions = async (say: (line: string) => void): Promise<FunctionsMeasure> => {
  await mkdir(localFolder, { recursive: true });
  const folder = await mkdtemp(path.join(localFolder, 'bench-functions-'));
  try {
    // In Lambda a bundle has no package.json above it and is CommonJS. Below this project it would count as an ES module.
    await writeFile(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');
    say('Bundling the functions of both stacks');
    const measured: FunctionMeasure[] = [];
    const steps = new Map<string, FunctionMeasure>();
    const bareHandlers = bareHandlersIn(folder);
    for (const { name, entry, bundle, environment } of synthesizeFunctions(folder)) {
      say(`Loading ${name}`);
      const contents = contentsOf(entry);
      const { alike, defaults } = bareHandlers(contents.keys());
      const alikeTimes: z.infer<typeof importTime>[] = [];
      const defaultsTimes: z.infer<typeof importTime>[] = [];
      const times: z.infer<typeof importTime>[] = [];
      // In turns, so that other load on the machine slows all of them.
      for (let run = 1; run <= imports; run += 1) {
        alikeTimes.push(await measuredProcess(importBundle, [alike], importTime));
        defaultsTimes.push(await measuredProcess(importBundle, [defaults], importTime));
        times.push(await measuredProcess(importBundle, [bundle], importTime, environment));
      }
      const { size } = await stat(bundle);
      const measure: FunctionMeasure = {
        name,
        bundleKb: kilobytes(size),
        initMs: Math.round(median(times.map(({ milliseconds }) => milliseconds))),
        initVsBare: ratioOf(times, alikeTimes),
        initVsDefaults: ratioOf(times, defaultsTimes),
        contentsKb: Object.fromEntries(
          [...contents].toSorted((one, other) => other[1] - one[1]).map(([of, bytes]) => [of, kilobytes(bytes)]),
        ),
      };
      if (entry.startsWith('functions/steps/')) steps.set(entry, measure);
      measured.push(measure);
    }
    const plan = steps.get(planBatch);
    steps.delete(planBatch);
    if (plan === undefined || steps.size === 0) throw new Error(`${planBatch} is missing, or the only step`);
    return {
      functions: measured,
      stepInitVsBare: Math.max(...steps.values().map(({ initVsBare }) => initVsBare)),
      planInitVsBare: plan.initVsBare,
      stepInitVsDefaults: Math.max(...steps.values().map(({ initVsDefaults }) => initVsDefaults)),
      planInitVsDefaults: plan.initVsDefaults,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};
