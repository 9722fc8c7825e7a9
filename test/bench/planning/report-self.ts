import * as z from 'zod';

/** A measured process's report, printed as its last line. */
export const selfReport = z.strictObject({
  rows: z.int(),
  seconds: z.number(),
  /** Peak resident set size, including the runtime and all modules. */
  peakMb: z.number(),
});

export type SelfReport = z.infer<typeof selfReport>;

/**
 * Runs the work on the file named on the command line, and prints its duration and this process's peak memory. Starting Node and
 * loading modules is not timed.
 *
 * @param work returns the number of payout rows it read
 */
export const reportSelf = async (work: (file: string) => Promise<number>): Promise<void> => {
  const file = process.argv[2];
  if (file === undefined) throw new Error('A file has to be named on the command line');
  const started = performance.now();
  const rows = await work(file);
  const seconds = (performance.now() - started) / 1000;
  const report: SelfReport = { rows, seconds, peakMb: process.resourceUsage().maxRSS / 1024 };
  console.log(JSON.stringify(report));
};
