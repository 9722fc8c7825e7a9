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
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { z } from 'zod';
import { keyUses, orchestratorRights, paymentServiceRights } from './rights.ts';

const sessionCredentials = z.object({
  AccessKeyId: z.string(),
  SecretAccessKey: z.string(),
  SessionToken: z.string(),
});

/** A deployed function, the attempts that its rights let succeed, and what clients need to act as it. */
export interface DeployedRole {
  readonly stack: 'PayoutOrchestrator' | 'PaymentService';
  readonly name: string;
  readonly functionName: string;
  readonly arn: string;
  readonly logGroup: string;
  /** Names of attempts: see attempts.ts. */
  readonly rights: ReadonlySet<string>;
}

/** Rights without an attempt: only Lambda reads a stream, the local stage locks nothing, and a role alone cannot be passed on. */
const untried = /^((service )?stream read|\w+ lock|schedule hand over role)$/;

/** The attempts that a right permits. The local AWS enforces no condition on keys, so a right on some items is one on all. */
const attemptsOf = (right: string): readonly string[] => {
  if (untried.test(right)) return [];
  if (right === 'events keep') return ['PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `ledger ${action}`);
  if (right === 'plans write') return ['plans write', 'errors write'];
  if (right === 'plans read') return ['plans read', 'errors read'];
  if (right === 'secrets merchants') return ['secret merchant'];
  const [, queue, use] = /^(\w+) (send|consume|take)$/.exec(right) ?? [];
  if (queue !== undefined) return [use === 'send' ? `SendMessage ${queue}` : `take from ${queue}`];
  return [right.replace(/ of \w+#$/, '')];
};

const attemptsOfAll = (rights: readonly string[]): ReadonlySet<string> =>
  new Set([
    ...rights.flatMap(attemptsOf),
    ...keyUses(rights).flatMap(({ key, writes }) => [
      `${key} Decrypt`,
      ...(writes ? [`${key} Encrypt`, `${key} GenerateDataKey`] : []),
    ]),
  ]);

const stated = (
  [
    ['PayoutOrchestrator', orchestratorRights],
    ['PaymentService', paymentServiceRights],
  ] as const
).flatMap(([stack, byName]) =>
  Object.entries(byName).map(([name, rights]) => ({ stack, name, rights: attemptsOfAll(rights) })),
);

const configuration = z.object({
  FunctionName: z.string(),
  Role: z.string(),
  LoggingConfig: z.object({ LogGroup: z.string() }),
});

/** A role's description names the function and the stack. The name of a function itself may be cut short. */
const ofLocalStage = /^What (\w+) of (PayoutOrchestrator|PaymentService)-local may do$/;

/** Every deployed function of the local stage by its name on AWS. Undefined is a function that rights.ts does not state. */
export const deployedRoles = async (): Promise<ReadonlyMap<string, DeployedRole | undefined>> => {
  const found = new Map<string, DeployedRole | undefined>();
  const identities = new IAMClient();
  for await (const page of paginateListFunctions({ client: new LambdaClient() }, {})) {
    for (const one of page.Functions ?? []) {
      const { FunctionName, Role: arn, LoggingConfig } = configuration.parse(one);
      const { Role } = await identities.send(new GetRoleCommand({ RoleName: arn.split('/').at(-1) }));
      const [, name, stack] = ofLocalStage.exec(Role?.Description ?? '') ?? [];
      if (name === undefined) continue;
      const role = stated.find((candidate) => candidate.stack === stack && candidate.name === name);
      found.set(FunctionName, role && { ...role, functionName: FunctionName, arn, logGroup: LoggingConfig.LogGroup });
    }
  }
  return found;
};

/** Shared by all clients, so that they share connections: each handshake costs more than most requests. */
const requestHandler = new NodeHttpHandler({ httpsAgent: { keepAlive: true, maxSockets: 50 } });

/**
 * Clients that sign with a session of the role. The roles trust only the Lambda service. The local AWS still lets its root
 * assume them, which AWS would refuse.
 */
export const clientsOf = async (role: DeployedRole) => {
  const answer = await new STSClient({ requestHandler }).send(
    new AssumeRoleCommand({ RoleArn: role.arn, RoleSessionName: 'tries-what-it-may' }),
  );
  const { AccessKeyId, SecretAccessKey, SessionToken } = sessionCredentials.parse(answer.Credentials);
  const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  const options = { credentials, maxAttempts: 1, requestHandler };
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
