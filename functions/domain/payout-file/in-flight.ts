/**
 * Lets at most `limit` tasks run at once while a stream goes on producing them. `add` waits for a free place only when
 * there is none. The first failure is thrown by the next `add` or by `finish`, and no task is left running behind it.
 */
export const inFlight = (limit: number) => {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    add: async (task: () => Promise<void>): Promise<void> => {
      throwFailure();
      while (running.size >= limit) await Promise.race(running);
      throwFailure();
      const run: Promise<void> = task()
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(run));
      running.add(run);
    },
    /** Waits for all, and throws nothing: for when something else has failed already. */
    settle: async (): Promise<void> => {
      await Promise.all(running);
    },
    finish: async (): Promise<void> => {
      await Promise.all(running);
      throwFailure();
    },
  };
};
