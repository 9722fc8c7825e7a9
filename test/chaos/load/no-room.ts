import * as z from 'zod';

/** What the local AWS answers itself when it runs as many functions as it may. */
const noRoom = z.object({
  Reason: z.literal('ConcurrentInvocationLimitExceeded'),
  retryAfterSeconds: z.coerce.number().positive(),
});

/**
 * Seconds after which to come again, when an answer is the local AWS's own for want of room for another function. AWS lets the
 * gateway answer then, with the problem `unavailable` and `Retry-After`; the local one passes on what Lambda said.
 */
export const secondsUntilRoom = (body: unknown): number | undefined => noRoom.safeParse(body).data?.retryAfterSeconds;
