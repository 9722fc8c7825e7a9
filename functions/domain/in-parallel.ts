/**
 * Runs `work` on every item, at most `limit` at a time, and waits for all of them. Unlike Promise.all it never leaves
 * work running behind a failure: no item is begun after one, and it is thrown when everything that was begun has ended.
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

/** What `work` makes of each item, in the order of the items; at most `limit` are worked on while one is taken. */
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
