import type { Needs } from '../ports/needs.ts';

export type WaitOutPauseDependencies = Needs<{ pace: 'state' | 'turn' }>;

/** The longest pause to wait for, in milliseconds. After a longer one the work is left for the next run. */
const longestPauseMs = 60_000;

/**
 * Waits until a pause is over that the provider demanded of reads. Each read waits for a few seconds only, so without this a
 * provider that answers a few requests in half a minute would answer only those of each run.
 *
 * @returns true when there was a pause, and it is over
 */
export const waitOutPause = async ({ pace }: WaitOutPauseDependencies): Promise<boolean> => {
  const states = await pace.state();
  const isPaused = states.some(({ kind, blockedUntil }) => kind === 'read' && blockedUntil !== undefined);
  return isPaused && (await pace.turn('read', { withinMs: longestPauseMs, isSpare: true })).kind === 'now';
};
