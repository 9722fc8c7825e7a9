import * as z from 'zod';

/** The local AWS's own answer when it already runs its maximum number of functions. */
const noRoom = z.object({
  Reason: z.literal('ConcurrentInvocationLimitExceeded'),
  retryAfterSeconds: z.coerce.number().positive(),
});

/**
 * Seconds to wait when the local AWS has no room for another function. On AWS the gateway answers then, with the problem
 * `unavailable` and `Retry-After`. The local one passes on Lambda's answer.
 */
export const secondsUntilRoom = (body: unknown): number | undefined => noRoom.safeParse(body).data?.retryAfterSeconds;
