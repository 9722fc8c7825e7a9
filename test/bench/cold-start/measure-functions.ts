import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { localFolder } from '../../../infra/local/places.ts';
import { median } from '../averages.ts';
import { measuredProcess } from '../measured-process.ts';
import { synthesizeFunctions } from './deployed-functions.ts';

export interface FunctionMeasure {
  readonly name: string;
  readonly bundleKb: number;
  /** Importing the bundle in a fresh Node, the middle one of five. */
  readonly initMs: number;
}

const imports = 5;
const importBundle = new URL('./import-bundle.ts', import.meta.url);
const importTime = z.strictObject({ milliseconds: z.number() });

/** Bundles every function of both stacks as they are deployed, and imports each bundle as often as a median needs. */
export async function measureFunctions(say: (line: string) => void): Promise<readonly FunctionMeasure[]> {
  await mkdir(localFolder, { recursive: true });
  const folder = await mkdtemp(path.join(localFolder, 'bench-functions-'));
  try {
    say('Bundling the functions of both stacks');
    const measured: FunctionMeasure[] = [];
    for (const { name, bundle, environment } of synthesizeFunctions(folder)) {
      say(`Importing ${name}`);
      const times: number[] = [];
      for (let run = 1; run <= imports; run += 1) {
        const { milliseconds } = await measuredProcess(importBundle, [bundle], importTime, environment);
        times.push(milliseconds);
      }
      const { size } = await stat(bundle);
      measured.push({ name, bundleKb: Math.round(size / 1024), initMs: Math.round(median(times)) });
    }
    if (measured.length === 0) throw new Error('Neither stack has a function whose bundle can be measured');
    return measured;
  } finally {
    await rm(folder, { recursive: true });
  }
}
