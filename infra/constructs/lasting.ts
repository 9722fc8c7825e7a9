import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** Whether what a stack holds outlives it: of a stack that is protected from deletion. */
export const isLasting = (scope: Construct): boolean => Stack.of(scope).terminationProtection;

/**
 * What becomes of a resource when its stack goes, or needs it no more. One that lasts goes all the same when its stack was never
 * made whole: it is empty then, and its name would stop the next deployment.
 */
export const removalPolicy = (scope: Construct): RemovalPolicy =>
  isLasting(scope) ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * Of a table, which is protected from deletion itself: CloudFormation could not take it back, and the stack would be stuck. An
 * empty one has a name that nobody asks for again.
 */
export const tableProtection = (scope: Construct) => {
  const lasting = isLasting(scope);
  return { deletionProtection: lasting, removalPolicy: lasting ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY };
};

/** How long a log is kept. */
export const logLifetime = (scope: Construct) => {
  const retention = isLasting(scope) ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK;
  return { retention, removalPolicy: removalPolicy(scope) };
};
