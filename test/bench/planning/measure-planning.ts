import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { localFolder } from '../../../infra/local/paths.ts';
import { median } from '../averages.ts';
import { measuredProcess } from '../measured-process.ts';
import { generatedCsv } from './payout-rows.ts';
import type { SelfReport } from './report-self.ts';
import { selfReport } from './report-self.ts';

export interface PlanningMeasure {
  readonly planRows: number;
  /** From the median of the runs, like the ratio. The peak is their maximum. */
  readonly planRowsPerSecond: number;
  readonly planVsBareParse: number;
  readonly planPeakMb: number;
}

const rows = 1_000_000;
const runs = 5;

const bareParse = new URL('./parse-bare.ts', import.meta.url);
const planning = new URL('./plan-file.ts', import.meta.url);

/**
 * Plans a million generated rows, and parses the same file with csv-parse alone. Each run is a process of its own. Runs
 * alternate, so that other load slows both, and the ratio compares two successive runs.
 */
export const measurePlanning = async (say: (line: string) => void): Promise<PlanningMeasure> => {
  await mkdir(localFolder, { recursive: true });
  const folder = await mkdtemp(path.join(localFolder, 'bench-rows-'));
  const file = path.join(folder, 'payouts.csv');
  try {
    say(`Writing a payout file of ${rows} rows`);
    await pipeline(Readable.from(generatedCsv(rows)), createWriteStream(file));
    const pairs: { readonly bare: SelfReport; readonly plan: SelfReport }[] = [];
    for (let run = 1; run <= runs; run += 1) {
      say(`Parsing it with csv-parse, then planning it: ${run} of ${runs}`);
      const bare = await measuredProcess(bareParse, [file], selfReport);
      const plan = await measuredProcess(planning, [file], selfReport);
      if (bare.rows !== rows || plan.rows !== rows)
        throw new Error(`Only ${bare.rows} and ${plan.rows} rows were read`);
      pairs.push({ bare, plan });
    }
    return {
      planRows: rows,
      planRowsPerSecond: Math.round(rows / median(pairs.map(({ plan }) => plan.seconds))),
      planVsBareParse: median(pairs.map(({ bare, plan }) => plan.seconds / bare.seconds)),
      planPeakMb: Math.round(Math.max(...pairs.map(({ plan }) => plan.peakMb))),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
};
