import * as z from 'zod';

/** Common fields of AWS SDK errors. */
const awsError = z.object({
  name: z.string(),
  $fault: z.string().optional(),
  $retryable: z.object({}).optional(),
});

/** AWS error names for throttling and timeouts. All of them are temporary. */
const transientNames: readonly string[] = [
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

/** A canceled transaction with its reasons, some of which are temporary. */
const canceledTransaction = z.object({
  name: z.literal('TransactionCanceledException'),
  CancellationReasons: z.array(z.object({ Code: z.string().optional() })),
});
const transientReasons: readonly (string | undefined)[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

/**
 * True when AWS could not handle a request now: a throttle, a lasting conflict, an outage. The same request may succeed a moment
 * later. Every other error is a bug, or needs a person.
 */
export const isTransient = (error: unknown): boolean => {
  const canceled = canceledTransaction.safeParse(error);
  if (canceled.success) return canceled.data.CancellationReasons.some(({ Code }) => transientReasons.includes(Code));
  const known = awsError.safeParse(error);
  if (!known.success) return false;
  const { name, $fault, $retryable } = known.data;
  return transientNames.includes(name) || $fault === 'server' || $retryable !== undefined;
};
