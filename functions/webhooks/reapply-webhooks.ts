import middy from '@middy/core';
import type { DeadLetters } from '../ports/hint-queue.ts';
import type { Needs } from '../ports/needs.ts';
import { deadLetters, log } from '../runtime.ts';
import { readHint } from './read-hint.ts';

type ReapplyDependencies = Needs<{ deadLetters: keyof DeadLetters }, 'log'>;

/** After this many hints, an invocation begins no further round of ten. Some 50 ms each, well within its timeout. */
const maxPutBack = 1000;

export interface Reapplied {
  /** Hints that are in the queue again, to be applied within seconds. */
  readonly putBack: number;
  /** Messages that stay in the dead-letter queue: unreadable, or set aside again immediately. A person must look at them. */
  readonly kept: number;
  /** Approximate number of messages that remain. Run it again when this is not zero. */
  readonly left: number;
}

/**
 * Moves the hints that could not be applied back into the queue. A hint that is set aside again during this run is kept there.
 * Idempotent: a hint that was covered meanwhile causes no lookup.
 */
export const reapply = async ({ deadLetters, log }: ReapplyDependencies): Promise<Reapplied> => {
  const putBack = new Set<string>();
  const kept = new Set<string>();
  // Checks the limit before it takes more. A message that is taken but not put back stays hidden for a while, and would not
  // count as left.
  while (putBack.size < maxPutBack) {
    const found = await deadLetters.take();
    if (found.length === 0) break;
    for (const one of found) {
      if (readHint(one.text) === undefined || putBack.has(one.text)) {
        kept.add(one.text);
      } else {
        await deadLetters.putBack(one);
        putBack.add(one.text);
      }
    }
  }
  const counts = { putBack: putBack.size, kept: kept.size, left: await deadLetters.count() };
  log.info('webhook.reapplied', counts);
  return counts;
};

export const handler = middy<unknown, Reapplied>().handler(() => reapply({ deadLetters: deadLetters(), log }));
