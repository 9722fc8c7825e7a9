import * as z from 'zod';

/**
 * A record with this many changes, of any kind, refuses further sandbox updates. Its item holds all of them: 500 of 200
 * bytes are a quarter of the 400 kB that an item can have.
 */
export const mostChanges = 500;

/** A record before and after a change. */
export interface Change<One> {
  readonly before: One;
  readonly after: One;
}

/** The fields of a record whose last event is moved to another moment, in ISO 8601 UTC. */
export const withLastAt = <One extends { readonly updatedAt: string }>(changes: readonly One[], at: string) => ({
  changes: [...changes.slice(0, -1), ...changes.slice(-1).map((last) => ({ ...last, updatedAt: at }))],
  updatedAt: at,
});

/** The event of a sandbox update. */
export const setByHand = {
  activity: 'Status set in the sandbox',
  description: 'The status was set by a sandbox update',
} as const;

/** One event in a record's history. */
export const activitySchema = <Status extends string>(statuses: readonly Status[]) =>
  z.object({
    activity: z.string(),
    status: z.enum(statuses),
    description: z.string(),
    /** ISO 8601 UTC. */
    updatedAt: z.string(),
  });
