import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { paginateListSecrets, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { FoundStack, StackResource } from './stacks.ts';
import { findStack, resourcesOf } from './stacks.ts';

/** What remains of a destroyed stage. */
export interface Leftovers {
  /** Should not remain. */
  readonly left: readonly string[];
  /** Stays on purpose, in sentences. */
  readonly stays: readonly string[];
}

/** Prefixes of the log groups that API Gateway creates itself, so that no stack deletes them. */
export const gatewayLogGroups = (stacks: readonly FoundStack[]): readonly string[] =>
  resourcesOf(stacks)
    .filter(({ type, physicalId }) => type === 'AWS::ApiGateway::RestApi' && physicalId !== '')
    .map(({ physicalId }) => `API-Gateway-Execution-Logs_${physicalId}/`);

/** The role that lets API Gateway write logs belongs to the account, so others may use it. */
const isLogRole = ({ type, logicalId }: StackResource): boolean =>
  type === 'AWS::ApiGateway::Account' || (type === 'AWS::IAM::Role' && logicalId.includes('CloudWatchRole'));

/** The stack retains versions of functions. They are deleted with their function. */
const goesWithItsOwner = ({ type }: StackResource): boolean => type === 'AWS::Lambda::Version';

const wasNeverMade = ({ physicalId }: StackResource): boolean => physicalId === '';

/**
 * Looks for leftovers of a stage: in its stacks, and by name among everything that holds data.
 *
 * @param stacks as they were before their deletion
 * @param find finds a stack by its id as it is now
 */
export const leftoversOf = async (
  stage: string,
  stacks: readonly FoundStack[],
  find: typeof findStack = findStack,
): Promise<Leftovers> => {
  const left: string[] = [];
  const all = resourcesOf(stacks);
  for (const { id, name } of stacks) {
    const now = await find(id);
    if (now === undefined) continue;
    if (now.status !== 'DELETE_COMPLETE') left.push(`the stack ${name} is ${now.status}`);
    const kept = now.resources.filter(
      (one) => one.status !== 'DELETE_COMPLETE' && !isLogRole(one) && !goesWithItsOwner(one) && !wasNeverMade(one),
    );
    left.push(...kept.map(({ type, physicalId, status }) => `${type} ${physicalId} is ${status}`));
  }
  left.push(...(await namesWith(stage)), ...(await logGroups(gatewayLogGroups(stacks))));
  const holdsKeys = all.some(({ type }) => type === 'AWS::KMS::Key');
  return {
    left: [...new Set(left)],
    stays: [
      ...(holdsKeys ? ['AWS deletes its keys after 30 days. They cost nothing until then.'] : []),
      ...(all.some(isLogRole)
        ? ['The role that lets API Gateway write logs stays: it belongs to the account, and costs nothing.']
        : []),
    ],
  };
};

/** Names of the log groups that have one of these prefixes. */
export const logGroups = async (prefixes: readonly string[]): Promise<readonly string[]> => {
  const client = new CloudWatchLogsClient();
  const names: string[] = [];
  for (const logGroupNamePrefix of prefixes) {
    for await (const page of paginateDescribeLogGroups({ client }, { logGroupNamePrefix })) {
      for (const { logGroupName = '' } of page.logGroups ?? []) names.push(logGroupName);
    }
  }
  return names;
};

/**
 * Whether the name of a resource has the stage as a whole part: `throwaway-1` is not part of `table-throwaway-12`.
 *
 * @param stage consists of letters, digits and dashes
 */
export const isNamedFor = (stage: string, name: string): boolean =>
  new RegExp(`(?<![a-z0-9])${stage}(?![a-z0-9])`, 'i').test(name);

/**
 * Everything that holds data and has the stage in its name. CloudFormation shortens a bucket's name, perhaps before the end of the
 * stage: such a bucket is found in its stack.
 */
const namesWith = async (stage: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const { Buckets = [] } = await new S3Client().send(new ListBucketsCommand());
  names.push(...Buckets.map(({ Name = '' }) => Name));
  for await (const { TableNames = [] } of paginateListTables({ client: new DynamoDBClient() }, {})) {
    names.push(...TableNames);
  }
  for await (const { SecretList = [] } of paginateListSecrets({ client: new SecretsManagerClient() }, {})) {
    names.push(...SecretList.map(({ Name = '' }) => Name));
  }
  for await (const page of paginateDescribeLogGroups({ client: new CloudWatchLogsClient() }, {})) {
    names.push(...(page.logGroups ?? []).map(({ logGroupName = '' }) => logGroupName));
  }
  return names.filter((name) => isNamedFor(stage, name));
};
