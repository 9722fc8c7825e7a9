import middy from '@middy/core';
import type { Log } from '../ports/environment.ts';
import type { DeadLetters } from '../ports/hint-queue.ts';
import { deadLetters, log } from '../runtime.ts';
import { readHint } from './read-hint.ts';

export interface ReapplyDependencies {
  readonly asideHints: DeadLetters;
  readonly log: Log;
}

/** Hints that one invocation puts back at most: ten a round, some 50 ms each, well within its timeout. */
const most = 1000;

export interface Reapplied {
  /** Hints that are in the queue again, to be applied within seconds. */
  readonly putBack: number;
  /** What stays where it is: no hint, or one that was set aside again at once. A person has to look. */
  readonly kept: number;
  /** About how many there are besides: run it again when there are more. */
  readonly left: number;
}

/**
 * Puts the hints that could not be applied back into the queue. One that comes back here at once is not put back again.
 * Doing it twice is harmless: what was covered meanwhile is not asked about.
 */
export const reapply = async ({ asideHints: aside, log: lines }: ReapplyDependencies): Promise<Reapplied> => {
  const putBack = new Set<string>();
  const kept = new Set<string>();
  // Looks before it takes: what is taken and not put back is out of sight for a while, and would not be counted as left.
  while (putBack.size < most) {
    const found = await aside.take();
    if (found.length === 0) break;
    for (const one of found) {
      if (readHint(one.text) === undefined || putBack.has(one.text)) {
        kept.add(one.text);
      } else {
        await aside.putBack(one);
        putBack.add(one.text);
      }
    }
  }
  const counts = { putBack: putBack.size, kept: kept.size, left: await aside.count() };
  lines.info('webhook.reapplied', counts);
  return counts;
};

export const handler = middy<unknown, Reapplied>().handler(() => reapply({ asideHints: deadLetters(), log }));
