import * as z from 'zod';

/** What errors of the AWS SDK have in common, whichever service they are of. */
const awsError = z.object({
  name: z.string(),
  $fault: z.string().optional(),
  $retryable: z.object({}).optional(),
});

/** Names under which AWS says that it was asked too much, or that it did not answer in time. All of them end by themselves. */
const passing: readonly string[] = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ExecutionLimitExceeded',
  'TooManyRequestsException',
  'SlowDown',
  'TimeoutError',
];

/** Reasons of a canceled transaction that pass. */
const canceledTransaction = z.object({
  name: z.literal('TransactionCanceledException'),
  CancellationReasons: z.array(z.object({ Code: z.string().optional() })),
});
const passingReasons: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/**
 * Whether a request failed for what AWS could not do just now: a throttle, a conflict that lasted, an outage. The same
 * request may succeed a moment later; every other error is a bug, or for a person to mend.
 */
export const isPassing = (error: unknown): boolean => {
  const canceled = canceledTransaction.safeParse(error);
  if (canceled.success) return canceled.data.CancellationReasons.some(({ Code }) => passingReasons.includes(Code));
  const known = awsError.safeParse(error);
  if (!known.success) return false;
  const { name, $fault, $retryable } = known.data;
  return passing.includes(name) || $fault === 'server' || $retryable !== undefined;
};
