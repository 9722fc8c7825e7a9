/**
 * Runs `work` on every item, at most `limit` at a time, and waits for all of them. Unlike Promise.all, it never leaves work
 * running after a failure. After the first failure it starts no further item. It throws that failure when all running work has
 * ended.
 */
export const inParallel = async <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const item of items) {
      while (running.size >= limit) await Promise.race(running);
      if (failures.length > 0) break;
      const run: Promise<void> = work(item)
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(run));
      running.add(run);
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
};

/** Returns a function that runs the work it is given, at most `limit` pieces at once. The others wait, first come, first served. */
export const inTurns = (limit: number) => {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};

/** Yields the result of `work` for each item, in the order of the items. At most `limit` items are in progress. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // The result is awaited later, in its turn. Until then a failure must not count as an unhandled rejection.
    result.catch(() => undefined);
    underWay.push(result);
    if (underWay.length === limit) yield* underWay.splice(0, 1);
  }
  yield* underWay;
}
