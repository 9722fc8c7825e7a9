import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { z } from 'zod';
import {
  orchestratorFunctions,
  orchestratorInvocations,
  orchestratorQueues,
  orchestratorRights,
  paymentServiceFunctions,
} from './rights.ts';

const sessionCredentials = z.object({
  AccessKeyId: z.string(),
  SecretAccessKey: z.string(),
  SessionToken: z.string(),
});

/** A function as it is deployed, what it may do by the tables, and clients that act as it. */
export interface DeployedRole {
  readonly stack: 'PayoutOrchestrator' | 'PaymentService';
  readonly name: string;
  readonly functionName: string;
  readonly arn: string;
  readonly logGroup: string;
  readonly rights: ReadonlySet<string>;
}

const ofOrchestrator = ([name, , ledger, files]: (typeof orchestratorFunctions)[number]): ReadonlySet<string> => {
  const has = (who: readonly string[]) => who.includes(name);
  const writes = files.some((one) => one.endsWith(' write')) || ledger.includes('PutItem');
  return new Set([
    ...(has(orchestratorRights.withoutKey) ? [] : ['key Decrypt']),
    ...(writes ? ['key Encrypt', 'key GenerateDataKey'] : []),
    ...ledger.filter(() => !has(orchestratorRights.indexesAlone)).map((action) => `ledger ${action}`),
    ...(has(orchestratorRights.destinations) ? ['ledger destinations Query'] : []),
    ...(has(orchestratorRights.indexes) ? ['ledger index Query'] : []),
    ...files,
    ...(files.includes('plans write') ? ['errors write'] : []),
    // A report too, as far as operators get links: it stands beside the plan.
    ...(files.includes('plans read') || files.includes('reports read') ? ['errors read'] : []),
    ...(has(orchestratorRights.signing) ? ['secret signing'] : []),
    ...(has(orchestratorRights.authorization) ? ['secret authorization'] : []),
    ...(has(orchestratorRights.webhookAddress) ? ['secret webhook address'] : []),
    ...(orchestratorQueues[name] ?? []),
    ...(has(orchestratorRights.tellsPeople) ? ['notice publish'] : []),
    ...(has(orchestratorRights.publishesEvents) ? ['events put'] : []),
    ...(has(orchestratorRights.startsExecutions) ? ['workflow start', 'workflow describe'] : []),
    ...(orchestratorInvocations[name] ?? []).map((invoked) => `invoke ${invoked}`),
    ...(has(orchestratorRights.schedules) ? ['schedule make', 'schedule take back'] : []),
  ]);
};

const onlyReads = ['BatchGetItem', 'GetItem', 'Query'];

const ofPaymentService = ([, table, secrets, queues]: (typeof paymentServiceFunctions)[number]): ReadonlySet<string> =>
  new Set([
    'service key Decrypt',
    ...(table.every((action) => onlyReads.includes(action))
      ? []
      : ['service key Encrypt', 'service key GenerateDataKey']),
    ...table.map((action) => `service table ${action}`),
    ...(secrets > 0 ? ['secret merchant'] : []),
    ...queues,
  ]);

const said = [
  ...orchestratorFunctions.map((one) => ({
    stack: 'PayoutOrchestrator' as const,
    name: one[0],
    rights: ofOrchestrator(one),
  })),
  ...paymentServiceFunctions.map((one) => ({
    stack: 'PaymentService' as const,
    name: one[0],
    rights: ofPaymentService(one),
  })),
];

const configuration = z.object({
  FunctionName: z.string(),
  Role: z.string(),
  LoggingConfig: z.object({ LogGroup: z.string() }),
});

/** What a role says of itself: whose it is, and of which stack. The name of a function may be cut short. */
const ofLocalStage = /^What (\w+) of (PayoutOrchestrator|PaymentService)-local may do$/;

/** Every function that is deployed and of one of the stage’s stacks, with what the tables say of it; undefined where they say nothing. */
export const deployedRoles = async (): Promise<ReadonlyMap<string, DeployedRole | undefined>> => {
  const found = new Map<string, DeployedRole | undefined>();
  const identities = new IAMClient();
  for await (const page of paginateListFunctions({ client: new LambdaClient() }, {})) {
    for (const one of page.Functions ?? []) {
      const { FunctionName, Role: arn, LoggingConfig } = configuration.parse(one);
      const { Role } = await identities.send(new GetRoleCommand({ RoleName: arn.split('/').at(-1) }));
      const [, name, stack] = ofLocalStage.exec(Role?.Description ?? '') ?? [];
      if (name === undefined) continue;
      const role = said.find((candidate) => candidate.stack === stack && candidate.name === name);
      found.set(FunctionName, role && { ...role, functionName: FunctionName, arn, logGroup: LoggingConfig.LogGroup });
    }
  }
  return found;
};

/**
 * Clients that sign with a session of the role. The roles trust the Lambda service alone; the local AWS lets its root take
 * them all the same, which an account's own would not.
 */
export const clientsOf = async (role: DeployedRole) => {
  const answer = await new STSClient().send(
    new AssumeRoleCommand({ RoleArn: role.arn, RoleSessionName: 'tries-what-it-may' }),
  );
  const { AccessKeyId, SecretAccessKey, SessionToken } = sessionCredentials.parse(answer.Credentials);
  const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  const options = { credentials, maxAttempts: 1 };
  return {
    credentials,
    table: new DynamoDBClient(options),
    files: new S3Client(options),
    secrets: new SecretsManagerClient(options),
    key: new KMSClient(options),
    workflow: new SFNClient(options),
    scheduler: new SchedulerClient(options),
    functions: new LambdaClient(options),
    queues: new SQSClient(options),
    events: new EventBridgeClient(options),
    notices: new SNSClient(options),
    identities: new IAMClient(options),
    sessions: new STSClient(options),
    logs: new CloudWatchLogsClient(options),
  };
};

export type RoleClients = Awaited<ReturnType<typeof clientsOf>>;
