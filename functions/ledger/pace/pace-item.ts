import * as z from 'zod';
import type { TurnKind } from '../../ports/pace.ts';
import { backoffMs } from '../table/contention.ts';
import { absent, equals } from '../table/expressions.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { Item, LedgerDependencies } from '../table/store.ts';
import { createStore } from '../table/store.ts';
import type { Schedule } from './schedule.ts';
import { emptySchedule, storedSchedule } from './schedule.ts';

const readItem = reading('pace', () => z.object({ version: z.int().positive(), schedule: storedSchedule() }));
/** Version 0 is before the first write. */
const versioned = (item: Item | undefined) =>
  item === undefined ? { version: 0, schedule: emptySchedule } : readItem(item);

/** A decision on the current schedule. `schedule` is written when present. */
export interface Change<Answer> {
  readonly answer: Answer;
  readonly schedule?: Schedule;
}

/**
 * Attempts when others lease at the same moment. Each failure means that another one succeeded, so some hundred leases per second
 * pass. Waits grow only for three attempts, so that unlucky callers do not fall behind newer ones. At most 25 + 50 + 18 * 100 ms,
 * half of that on average.
 */
const mostAttempts = 20;
const growing = 3;

/** The schedule of each kind of turn. Each change reads it, decides, and writes on condition that nobody wrote meanwhile. */
export const createPaceItems = (dependencies: LedgerDependencies & Required<Pick<LedgerDependencies, 'wait'>>) => {
  const { wait, random } = dependencies;
  const store = createStore(dependencies);

  const read = async (kind: TurnKind): Promise<Schedule> => versioned(await store.get(keys.pace(kind))).schedule;

  /** Undefined when every attempt lost to another writer. Nothing is written then. */
  const change = async <Answer>(
    kind: TurnKind,
    decide: (schedule: Schedule) => Change<Answer>,
  ): Promise<Answer | undefined> => {
    const key = keys.pace(kind);
    let current = versioned(await store.get(key));
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const decided = decide(current.schedule);
      if (decided.schedule === undefined) return decided.answer;
      const { version } = current;
      const item = { ...key, version: version + 1, schedule: decided.schedule };
      const written = await store.put(item, version === 0 ? absent('version') : equals('version', version));
      if (written.kind === 'written') return decided.answer;
      // A refused write returns the current item, so it is not read again.
      current = versioned(written.item);
      await wait(backoffMs(random, Math.min(attempt, growing)));
    }
    return undefined;
  };

  return { read, change };
};
