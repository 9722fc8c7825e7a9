import * as z from 'zod';

/** What a measured process says of itself, as its last line. */
export const selfReport = z.strictObject({
  rows: z.int(),
  seconds: z.number(),
  /** Resident set size at its highest, the runtime and all modules included. */
  peakMb: z.number(),
});

export type SelfReport = z.infer<typeof selfReport>;

/**
 * Runs the work on the file that the command line names and prints how long it took and how much memory this process
 * ever had. Starting Node and loading modules is not in the time.
 *
 * @param work answers the number of payout rows it saw
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
