import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { localFolder } from '../../../infra/local/places.ts';
import { median } from '../averages.ts';
import { measuredProcess } from '../measured-process.ts';
import { clientsAmong, contentsOf, writeBareHandler } from './bare-handler.ts';
import { synthesizeFunctions } from './deployed-functions.ts';

export interface FunctionMeasure {
  readonly name: string;
  readonly bundleKb: number;
  /** Importing the bundle in a fresh Node, the middle one of five. */
  readonly initMs: number;
  /** Processor time of importing it, by that of a bare handler with the same clients of the SDK: the least of five each. */
  readonly initVsBare: number;
  /** Kilobytes by package, the largest first. */
  readonly contentsKb: Readonly<Record<string, number>>;
}

export interface FunctionsMeasure {
  readonly functions: readonly FunctionMeasure[];
  /** The largest `initVsBare` of the functions that batches wait for, `functions/steps`, besides PlanBatch. */
  readonly stepInitVsBare: number;
  /** That of PlanBatch, which a batch waits for once. It has the readers and writers of every format of payout files. */
  readonly planInitVsBare: number;
}

const imports = 5;
const planBatch = 'functions/steps/plan-batch.ts';
const kilobytes = (bytes: number): number => Math.round(bytes / 1024);
const importBundle = new URL('./import-bundle.ts', import.meta.url);
const importTime = z.strictObject({ milliseconds: z.number(), cpuMs: z.number() });
const leastCpuMs = (times: readonly z.infer<typeof importTime>[]): number =>
  Math.min(...times.map(({ cpuMs }) => cpuMs));

/** Bundles every function of both stacks as they are deployed, and imports each bundle as often as a median needs. */
export async function measureFunctions(say: (line: string) => void): Promise<FunctionsMeasure> {
  await mkdir(localFolder, { recursive: true });
  const folder = await mkdtemp(path.join(localFolder, 'bench-functions-'));
  try {
    say('Bundling the functions of both stacks');
    const measured: FunctionMeasure[] = [];
    const stepRatios = new Map<string, number>();
    const bareBundles = new Map<string, string>();
    /** Written once for all functions with the same clients. */
    const bareBundle = (packages: Iterable<string>): string => {
      const clients = clientsAmong(packages);
      const key = clients.join(' ');
      const known = bareBundles.get(key);
      if (known !== undefined) return known;
      const written = path.join(folder, `bare-${bareBundles.size}.mjs`);
      writeBareHandler(clients, written);
      bareBundles.set(key, written);
      return written;
    };
    for (const { name, entry, bundle, environment } of synthesizeFunctions(folder)) {
      say(`Importing ${name}`);
      const contents = contentsOf(entry);
      const bare = bareBundle(contents.keys());
      const bareTimes: z.infer<typeof importTime>[] = [];
      const times: z.infer<typeof importTime>[] = [];
      // By turns, so that whatever else the machine does slows both.
      for (let run = 1; run <= imports; run += 1) {
        bareTimes.push(await measuredProcess(importBundle, [bare], importTime));
        times.push(await measuredProcess(importBundle, [bundle], importTime, environment));
      }
      const { size } = await stat(bundle);
      const ratio = leastCpuMs(times) / leastCpuMs(bareTimes);
      const initVsBare = Math.round(ratio * 100) / 100;
      if (entry.startsWith('functions/steps/')) stepRatios.set(entry, initVsBare);
      measured.push({
        name,
        bundleKb: kilobytes(size),
        initMs: Math.round(median(times.map(({ milliseconds }) => milliseconds))),
        initVsBare,
        contentsKb: Object.fromEntries(
          [...contents].toSorted((one, other) => other[1] - one[1]).map(([of, bytes]) => [of, kilobytes(bytes)]),
        ),
      });
    }
    const planInitVsBare = stepRatios.get(planBatch);
    stepRatios.delete(planBatch);
    if (planInitVsBare === undefined || stepRatios.size === 0)
      throw new Error(`${planBatch} is no step, or the only one`);
    return { functions: measured, stepInitVsBare: Math.max(...stepRatios.values()), planInitVsBare };
  } finally {
    await rm(folder, { recursive: true });
  }
}
