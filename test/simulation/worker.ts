import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { applyDefect } from './defects/apply-defect.ts';
import { defects } from './defects/defects.ts';

const work = z
  .object({
    first: z.number(),
    step: z.number(),
    count: z.number(),
    defect: z.string().optional(),
    only: z.enum(['first', 'second']).optional(),
  })
  .parse(workerData);

const defect = defects.find(({ name }) => name === work.defect);
if (work.defect !== undefined && defect === undefined) throw new Error(`there is no defect "${work.defect}"`);
if (defect !== undefined) applyDefect(defect);

// Imported after the defect is applied, so that the defect takes effect.
const { runSeed } = await import('./run-seed.ts');

let seed = work.first;
process.once('uncaughtException', (error) => {
  throw new Error(`seed ${seed} could not be run`, { cause: error });
});

for (let done = 0; done < work.count; done += 1, seed += work.step) {
  const { workload, violation, hash, events, payments } = await runSeed(seed, false, work.only);
  parentPort?.postMessage({ seed, workload, violation, hash, events, payments });
  if (violation !== undefined) break;
}
