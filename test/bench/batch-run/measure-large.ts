import type { MeteredAws } from '../metering/metered-aws.ts';
import type { BatchMeasure } from './measure-batch.ts';
import { measureBatch } from './measure-batch.ts';
import { withPeakMemory } from './peak-memory.ts';

export interface LargeMeasure {
  readonly large: BatchMeasure & {
    /** From the start of the batch to its end, with the local AWS and the sandbox on the same machine. */
    readonly seconds: number;
    /** Largest resident memory of Follow's process. */
    readonly sweepPeakMb: number;
  };
}

const payouts = 20_000;

/** Pays 20,000 payouts on the metered local AWS. */
export const measureLarge = async (aws: MeteredAws, say: (line: string) => void): Promise<LargeMeasure> => {
  const began = Date.now();
  const { result, peakMb } = await withPeakMemory('BatchWorkflowFollow', () => measureBatch(aws, payouts, say));
  return { large: { ...result, seconds: Math.round((Date.now() - began) / 1000), sweepPeakMb: peakMb } };
};
