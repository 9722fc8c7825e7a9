import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** Whether the stack's data outlives it. That is so when the stack is protected from deletion. */
export const isLasting = (scope: Construct): boolean => Stack.of(scope).terminationProtection;

/**
 * What happens to a resource when the stack is deleted or no longer needs it. Even a lasting resource is deleted when the
 * stack's first deployment fails: it is still empty then, and its name would block the next deployment.
 */
export const removalPolicy = (scope: Construct): RemovalPolicy =>
  isLasting(scope) ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * Protects a table from deletion. CloudFormation could then not delete it either, and a failed deployment would be stuck, so it
 * retains the table. An empty table left behind blocks nothing, because its name is generated.
 */
export const tableProtection = (scope: Construct) => {
  const lasting = isLasting(scope);
  return { deletionProtection: lasting, removalPolicy: lasting ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY };
};

/** How long logs are kept. */
export const logLifetime = (scope: Construct) => {
  const retention = isLasting(scope) ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK;
  return { retention, removalPolicy: removalPolicy(scope) };
};
