import type { Context } from '../store/context.ts';

/** Longer than any POST can take. What it has not created by then, it never will. */
const longestPostMilliseconds = 60_000;

/** Epoch milliseconds of the next look, by the merchant's clock. Undefined when nothing is left to do. */
export type NextLook = number | undefined;

/**
 * How long a POST may still be running, in milliseconds. Zero or less once it has surely ended. Measured by the real
 * clock, because the merchant can move its own while the POST runs.
 */
export const remainingPostTime = ({ realNow }: Pick<Context, 'realNow'>, postedAt: string): number =>
  Date.parse(postedAt) + longestPostMilliseconds - realNow().getTime();
