/**
 * Runs `work` on every item, at most `limit` at a time, and waits for all of them. Unlike Promise.all it never leaves
 * work running behind a failure: the first error is thrown when everything that was begun has ended.
 */
export const inParallel = async <Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && errors.length === 0; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (errors.length > 0) throw errors[0];
};
