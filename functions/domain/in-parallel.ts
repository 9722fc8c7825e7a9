/**
 * Runs at most `limit` tasks at once while they go on being added. `add` waits for a free place only when there is none. The
 * first failure is thrown by the next `add` or by `finish`.
 */
export const inFlight = (limit: number) => {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  /** Waits for all, and throws nothing: for when something else has failed already. */
  const settle = async (): Promise<void> => {
    await Promise.all(running);
  };
  return {
    add: async (task: () => Promise<void>): Promise<void> => {
      while (running.size >= limit) await Promise.race(running);
      throwFailure();
      const run: Promise<void> = task()
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    settle,
    finish: async (): Promise<void> => {
      await settle();
      throwFailure();
    },
  };
};

/**
 * Runs `work` on every item, at most `limit` at a time, and waits for all of them. Unlike Promise.all it never leaves
 * work running behind a failure: the first error is thrown when everything that was begun has ended.
 */
export const inParallel = async <Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const tasks = inFlight(limit);
  try {
    for (const item of items) await tasks.add(() => work(item));
  } finally {
    await tasks.settle();
  }
  await tasks.finish();
};

/**
 * What `work` makes of each item, in the order of the items, with at most `limit` under way: those that follow are worked on while
 * one is taken.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // It is awaited in its turn; until then a failure must not count as unhandled.
    result.catch(() => undefined);
    underWay.push(result);
    if (underWay.length === limit) yield* underWay.splice(0, 1);
  }
  yield* underWay;
}
