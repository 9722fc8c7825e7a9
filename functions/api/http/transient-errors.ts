import * as z from 'zod';
import { transientReasons } from '../../domain/errors.ts';

/** Common fields of AWS SDK errors, and the reasons of a canceled transaction. */
const awsError = z.object({
  name: z.string(),
  $fault: z.string().optional(),
  $retryable: z.object({}).optional(),
  CancellationReasons: z.array(z.object({ Code: z.string().optional() })).optional(),
});

/** AWS error names for throttling, conflicts and timeouts. All of them are temporary. */
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

/**
 * True when AWS could not handle a request now: a throttle, a lasting conflict, an outage. The same request may succeed a moment
 * later. Every other error is a bug, or needs a person.
 */
export const isTransient = (error: unknown): boolean => {
  const known = awsError.safeParse(error);
  if (!known.success) return false;
  const { name, $fault, $retryable, CancellationReasons: reasons } = known.data;
  if (name === 'TransactionCanceledException' && reasons !== undefined)
    return reasons.some(({ Code }) => transientReasons.includes(Code));
  return transientNames.includes(name) || $fault === 'server' || $retryable !== undefined;
};
