import * as z from 'zod';

/** One event in a record's history. */
export const activitySchema = <Status extends string>(statuses: readonly Status[]) =>
  z.object({
    activity: z.string(),
    status: z.enum(statuses),
    description: z.string(),
    /** ISO 8601 UTC. */
    updatedAt: z.string(),
  });
