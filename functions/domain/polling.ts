import type { Random } from '../ports/environment.ts';
import type { OrchestratorSettings } from './settings.ts';

/** Waits differ by up to a fifth either way, so that chunks that started together do not ask together. */
const jitter = 0.2;

/** Doublings beyond which a wait has reached any maximum: keeps 2 ** n a sane number. */
const mostDoublings = 20;

/** Longest wait before an unknown payout is looked up again: three lookups at 2, 4 and 8 minutes fit a coffee break. */
const resolveMaxSeconds = 480;

/** The same by the first wait: where that is shorter than two minutes, the third lookup is the last that takes longer. */
const resolveMaxTimes = 4;

const jittered = (seconds: number, random: Random): number =>
  Math.max(1, Math.round(seconds * (1 - jitter + 2 * jitter * random())));

const doubling = (first: number, done: number, most: number): number =>
  Math.min(most, first * 2 ** Math.min(Math.max(0, done), mostDoublings));

/**
 * Whole seconds before the next poll: 5 doubling to 300 by default, a fifth more or less.
 *
 * @param polls polls made so far: 0 gives the first wait
 */
export const pollWaitSeconds = (
  polls: number,
  settings: Pick<OrchestratorSettings, 'pollFirstSeconds' | 'pollMaxSeconds'>,
  random: Random,
): number => jittered(doubling(settings.pollFirstSeconds, polls, settings.pollMaxSeconds), random);

/**
 * Whole seconds before an unknown payout is looked up (again): 120, 240, then 480 by default, up to a fifth more and
 * never less, since a lookup too early could take a request that is still under way for one that never came.
 *
 * @param lookups lookups made so far: 0 gives the first wait
 */
export const resolveWaitSeconds = (
  lookups: number,
  settings: Pick<OrchestratorSettings, 'resolveAfterSeconds'>,
  random: Random,
): number => {
  const first = settings.resolveAfterSeconds;
  const most = Math.max(first, Math.min(resolveMaxSeconds, first * resolveMaxTimes));
  return Math.ceil(doubling(first, lookups, most) * (1 + jitter * random()));
};
