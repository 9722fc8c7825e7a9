import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerDependencies } from '../../functions/ledger/table/store.ts';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/**
 * Time that passes only when everyone waits: the clock of `time` jumps to the next sleeper once no request to the table is in
 * flight. `requests` lists the names of the commands that were sent.
 */
export const onVirtualTime = (dependencies: LedgerDependencies, time: { now: number }) => {
  const requests: string[] = [];
  let underWay = 0;
  let answer = Promise.withResolvers<void>();
  let sleepers: Sleeper[] = [];
  const wait = (ms: number): Promise<void> =>
    new Promise((wake) => {
      sleepers.push({ atMs: time.now + Math.max(0, ms), wake });
    });
  const table = dependencies.client;
  const send = async (command: Parameters<typeof table.send>[0]): Promise<unknown> => {
    requests.push(command.constructor.name.replace(/^_/, ''));
    underWay += 1;
    try {
      return await table.send(command);
    } finally {
      underWay -= 1;
      answer.resolve();
      answer = Promise.withResolvers();
    }
  };
  const client: typeof table = Object.create(table, { send: { value: send } });

  const pass = async <Value>(work: Promise<Value>): Promise<Value> => {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    for (let idle = 0; !isDone; ) {
      // Spinning through the event loop meanwhile would take a core from the table.
      if (underWay > 0) await answer.promise;
      await nextTurn();
      idle = underWay > 0 ? 0 : idle + 1;
      // Idle twice, so that the continuations of an answered request have run too.
      if (idle < 2 || isDone) continue;
      const [next] = sleepers.toSorted((one, other) => one.atMs - other.atMs);
      if (next === undefined) continue;
      time.now = Math.max(time.now, next.atMs);
      sleepers = sleepers.filter((sleeper) => sleeper !== next);
      next.wake();
      idle = 0;
    }
    return work;
  };
  return { dependencies: { ...dependencies, client, wait }, wait, pass, requests };
};
