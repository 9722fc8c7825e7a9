import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Milliseconds between two samples. A function's process lives for minutes, and its memory grows over seconds. */
const everyMs = 1000;

/** The largest resident memory, in MB, of processes whose command line contains this. */
const memoryOf = async (named: string): Promise<number> => {
  const { stdout } = await run('ps', ['-Aww', '-o', 'rss=,args='], { maxBuffer: 2 ** 26 });
  const kilobytes = stdout
    .split('\n')
    .filter((line) => line.includes(named))
    .map((line) => Number.parseInt(line, 10));
  return Math.max(0, ...kilobytes) / 1024;
};

/**
 * Samples the memory of the local AWS's processes of one function during the work.
 *
 * @param named a part of the function's name in the process's command line
 * @returns the work's result, and the largest resident memory seen, in whole MB
 */
export const withPeakMemory = async <Result>(
  named: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly peakMb: number }> => {
  let peakMb = 0;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    peakMb = Math.max(peakMb, await memoryOf(named).catch(() => 0));
    isLooking = false;
  };
  const timer = setInterval(() => void look(), everyMs);
  try {
    const result = await work();
    if (peakMb === 0) throw new Error(`no process of ${named} was seen, so its memory is unknown`);
    return { result, peakMb: Math.round(peakMb) };
  } finally {
    clearInterval(timer);
  }
};
