import { longestWaitSeconds } from '../settings.ts';
import type { Delivery } from './deliver.ts';

/** Each wait is up to a tenth longer, so that webhooks that failed together do not return in the same second. */
const jitter = 0.1;

/**
 * Decides by the answer to an attempt how the delivery log calls it, and in how many seconds the next one follows.
 *
 * @param attempt counted from 1
 * @param waits seconds by attempt; there is one attempt more than there are waits
 * @param random from 0 to 1
 */
export const nextStep = (delivery: Delivery, attempt: number, waits: readonly number[], random: () => number) => {
  if (delivery.kind === 'delivered') return { outcome: 'delivered' } as const;
  const wait = waits[attempt - 1];
  if (delivery.kind === 'gone' || wait === undefined) return { outcome: 'given_up' } as const;
  // A receiver may slow the schedule down, but not beyond its longest wait.
  const asked = Math.min(delivery.retryAfterSeconds ?? 0, Math.max(...waits));
  const seconds = Math.round(Math.max(wait, asked) * (1 + jitter * random()));
  return { outcome: 'refused', seconds: Math.min(seconds, longestWaitSeconds) } as const;
};
