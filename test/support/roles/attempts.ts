import { CreateLogGroupCommand, DeleteLogGroupCommand, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PutRolePolicyCommand, UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  PutKeyPolicyCommand,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { InvokeCommand, UpdateFunctionCodeCommand } from '@aws-sdk/client-lambda';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  ListSchedulesCommand,
} from '@aws-sdk/client-scheduler';
import { GetSecretValueCommand, ListSecretsCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  StartExecutionCommand,
  StopExecutionCommand,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import { PublishCommand } from '@aws-sdk/client-sns';
import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import type { DeployedRole, RoleClients } from './deployed-roles.ts';
import { tableAttempts } from './table-attempts.ts';
import type { World } from './world.ts';

/**
 * One request that a role tries. It changes nothing even if it is allowed, because it is invalid or names something that does not
 * exist, which AWS checks only afterward. `right` is the name that deployed-roles.ts uses. Writing its own log is not tried: the
 * local AWS checks that against the log group without its streams, and refuses it to every role.
 */
export interface Attempt {
  readonly right: string;
  readonly make: (as: RoleClients, world: World, role: DeployedRole, other: OtherRole) => Promise<unknown>;
}

/** Finds another function of the orchestrator by name. */
export type OtherRole = (name: string) => DeployedRole;

const probeKey = 'denied-actions-probe';

/** Keys of each kind of file, for a batch that does not exist. */
const placeOf = {
  uploads: `uploads/${probeKey}`,
  plans: `batches/${probeKey}/plan-1/chunks/0000001.json`,
  errors: `batches/${probeKey}/plan-1/errors.csv`,
  rounds: `batches/${probeKey}/submit/1.json`,
  proofs: `batches/${probeKey}/proofs/0000001-1.pdf`,
  archives: `archives/${probeKey}/1.zip`,
  reports: `batches/${probeKey}/reports/1/results.csv`,
  'any other file': probeKey,
} as const;

/** These objects exist, because S3 refuses a missing object as if it were forbidden. */
export const probeObjects: readonly string[] = Object.values(placeOf);

const readSecret =
  (name: keyof World['secrets']): Attempt['make'] =>
  (as, world) =>
    as.secrets.send(new GetSecretValueCommand({ SecretId: world.secrets[name] }));

const readObject =
  (key: string): Attempt['make'] =>
  (as, world) =>
    as.files.send(new GetObjectCommand({ Bucket: world.files, Key: key }));

/** A write that requires a version that does not exist. */
const writeObject =
  (key: string): Attempt['make'] =>
  (as, world) =>
    as.files.send(new PutObjectCommand({ Bucket: world.files, Key: key, Body: 'x', IfMatch: '"none"' }));

const deleteObject =
  (key: string): Attempt['make'] =>
  (as, world) =>
    as.files.send(new DeleteObjectCommand({ Bucket: world.files, Key: key }));

/** An invalid delay. */
const sendTo =
  (queue: keyof World['queues']): Attempt['make'] =>
  (as, world) =>
    as.queues.send(new SendMessageCommand({ QueueUrl: world.queues[queue], MessageBody: 'x', DelaySeconds: 9999 }));

/** An invalid number of messages. */
const takeFrom =
  (queue: keyof World['queues']): Attempt['make'] =>
  (as, world) =>
    as.queues.send(new ReceiveMessageCommand({ QueueUrl: world.queues[queue], MaxNumberOfMessages: 99 }));

const executionOf = (world: World): string => `${world.stateMachineArn.replace(':stateMachine:', ':execution:')}:none`;

const files: readonly Attempt[] = [
  ...Object.entries(placeOf).flatMap(([kind, key]) => [
    { right: `${kind} read`, make: readObject(key) },
    { right: `${kind} write`, make: writeObject(key) },
    { right: `${kind} delete`, make: deleteObject(`${key}-none`) },
  ]),
  {
    right: 'uploads find',
    make: (as, world) => as.files.send(new ListObjectsV2Command({ Bucket: world.files, MaxKeys: 1 })),
  },
  ...(['uploads', 'batches'] as const).map((prefix) => ({
    right: `${prefix} list`,
    make: (as: RoleClients, world: World) =>
      as.files.send(new ListObjectVersionsCommand({ Bucket: world.files, Prefix: `${prefix}/`, MaxKeys: 1 })),
  })),
  {
    right: 'access logs read',
    make: (as, world) => as.files.send(new ListObjectsV2Command({ Bucket: world.accessLogs, MaxKeys: 1 })),
  },
  {
    right: 'bucket policy change',
    make: (as, world) => as.files.send(new PutBucketPolicyCommand({ Bucket: world.files, Policy: 'none' })),
  },
  {
    right: 'bucket versioning change',
    make: (as, world) =>
      as.files.send(
        new PutBucketVersioningCommand({ Bucket: world.files, VersioningConfiguration: { Status: 'Enabled' } }),
      ),
  },
];

const secrets: readonly Attempt[] = [
  { right: 'secret signing', make: readSecret('signing') },
  { right: 'secret authorization', make: readSecret('authorization') },
  { right: 'secret merchant', make: readSecret('merchant') },
  { right: 'secret other', make: readSecret('other') },
  { right: 'secret webhook address', make: readSecret('webhookAddress') },
  { right: 'secrets list', make: (as) => as.secrets.send(new ListSecretsCommand({ MaxResults: 1 })) },
  {
    right: 'secret change',
    make: (as, world) =>
      as.secrets.send(
        new PutSecretValueCommand({ SecretId: world.secrets.authorization, SecretString: 'x'.repeat(70_000) }),
      ),
  },
];

const noise = Buffer.alloc(64, 7);

const keyAttempts = (name: string, keyOf: (world: World) => string): readonly Attempt[] => {
  const tries: Readonly<Record<string, (as: RoleClients, KeyId: string) => Promise<unknown>>> = {
    Decrypt: (as, KeyId) => as.key.send(new DecryptCommand({ KeyId, CiphertextBlob: noise })),
    Encrypt: (as, KeyId) => as.key.send(new EncryptCommand({ KeyId, Plaintext: noise })),
    GenerateDataKey: (as, KeyId) => as.key.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' })),
    deletion: (as, KeyId) => as.key.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 1 })),
    'policy change': (as, KeyId) => as.key.send(new PutKeyPolicyCommand({ KeyId, Policy: 'none' })),
  };
  return Object.entries(tries).map(([action, attempt]) => ({
    right: `${name} ${action}`,
    make: (as, world) => attempt(as, keyOf(world)),
  }));
};

const workflow: readonly Attempt[] = [
  {
    right: 'workflow start',
    make: (as, { stateMachineArn }) =>
      as.workflow.send(new StartExecutionCommand({ stateMachineArn, name: 'not a name', input: 'no JSON' })),
  },
  {
    right: 'workflow describe',
    make: (as, world) => as.workflow.send(new DescribeExecutionCommand({ executionArn: executionOf(world) })),
  },
  {
    right: 'workflow stop',
    make: (as, world) => as.workflow.send(new StopExecutionCommand({ executionArn: executionOf(world) })),
  },
  {
    right: 'workflow history',
    make: (as, world) => as.workflow.send(new GetExecutionHistoryCommand({ executionArn: executionOf(world) })),
  },
  {
    right: 'workflow change',
    make: (as, { stateMachineArn }) =>
      as.workflow.send(new UpdateStateMachineCommand({ stateMachineArn, definition: 'none' })),
  },
  {
    right: 'task answer',
    make: (as) => as.workflow.send(new SendTaskSuccessCommand({ taskToken: 'none', output: '{}' })),
  },
];

const schedules: readonly Attempt[] = [
  {
    right: 'schedule make',
    make: (as, world) =>
      as.scheduler.send(
        new CreateScheduleCommand({
          Name: probeKey,
          GroupName: world.scheduleGroup,
          ScheduleExpression: 'at(2000-01-01T00:00:00)',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: '', RoleArn: '' },
        }),
      ),
  },
  {
    right: 'schedule take back',
    make: (as, world) =>
      as.scheduler.send(new DeleteScheduleCommand({ Name: `${probeKey}-none`, GroupName: world.scheduleGroup })),
  },
  { right: 'schedules list', make: (as) => as.scheduler.send(new ListSchedulesCommand({ MaxResults: 1 })) },
  {
    right: 'schedule group delete',
    make: (as) => as.scheduler.send(new DeleteScheduleGroupCommand({ Name: `${probeKey}-none` })),
  },
];

const others: readonly Attempt[] = [
  ...[
    'SubmitChunk',
    'StartBatch',
    'PauseBatch',
    'CancelBatch',
    'ResumeBatch',
    'ApproveBatch',
    'SettlePayout',
    'ZipProofs',
  ].map((name) => ({
    right: `invoke ${name}`,
    make: (as: RoleClients, _: World, __: DeployedRole, other: OtherRole) =>
      as.functions.send(new InvokeCommand({ FunctionName: other(name).functionName, InvocationType: 'DryRun' })),
  })),
  {
    right: 'function change',
    make: (as, _, role) =>
      as.functions.send(
        new UpdateFunctionCodeCommand({ FunctionName: role.functionName, ZipFile: noise, DryRun: true }),
      ),
  },
  {
    right: 'role change',
    make: (as, _, role) =>
      as.identities.send(
        new PutRolePolicyCommand({
          RoleName: role.arn.split('/').at(-1),
          PolicyName: probeKey,
          PolicyDocument: 'none',
        }),
      ),
  },
  {
    right: 'role trust change',
    make: (as, _, __, other) =>
      as.identities.send(
        new UpdateAssumeRolePolicyCommand({
          RoleName: other('SubmitChunk').arn.split('/').at(-1),
          PolicyDocument: 'none',
        }),
      ),
  },
  {
    right: 'another role',
    make: (as, _, __, other) =>
      as.sessions.send(new AssumeRoleCommand({ RoleArn: other('SubmitChunk').arn, RoleSessionName: probeKey })),
  },
  {
    right: 'own log read',
    make: (as, _, role) => as.logs.send(new FilterLogEventsCommand({ logGroupName: role.logGroup, limit: 1 })),
  },
  {
    right: 'own log delete',
    make: (as, _, role) => as.logs.send(new DeleteLogGroupCommand({ logGroupName: `${role.logGroup}-none` })),
  },
  { right: 'log group make', make: (as) => as.logs.send(new CreateLogGroupCommand({ logGroupName: 'a name, not' })) },
  {
    right: 'operator API call',
    make: async (as, world) => {
      const operator = new OperatorClient({ apiUrl: world.apiUrl, region: 'us-east-1', credentials: as.credentials });
      const { status } = await operator.send({ method: 'POST', path: '/batches/b-none/cancel' });
      if (status === 403) throw Object.assign(new Error('refused'), { name: 'AccessDenied' });
      return status;
    },
  },
  {
    right: 'notice publish',
    // Longer than a subject may be.
    make: (as, world) =>
      as.notices.send(new PublishCommand({ TopicArn: world.noticeTopic, Message: 'x', Subject: 'x'.repeat(999) })),
  },
  {
    right: 'events put',
    // Without a type of event, which each entry needs.
    make: (as, world) =>
      as.events.send(new PutEventsCommand({ Entries: [{ EventBusName: world.eventBus, Source: 'x', Detail: '{}' }] })),
  },
  ...(['Due', 'Webhooks', 'Undelivered', 'Hints', 'Unapplied'] as const).flatMap((queue) => [
    { right: `SendMessage ${queue}`, make: sendTo(queue) },
    { right: `take from ${queue}`, make: takeFrom(queue) },
  ]),
  {
    right: 'queue purge',
    make: (as, world) => as.queues.send(new PurgeQueueCommand({ QueueUrl: `${world.queues.Undelivered}-none` })),
  },
];

export const attempts: readonly Attempt[] = [
  ...tableAttempts('ledger', ({ ledger }) => ledger),
  ...tableAttempts('service table', ({ serviceTable }) => serviceTable),
  ...files,
  ...secrets,
  ...keyAttempts('key', ({ dataKey }) => dataKey),
  ...keyAttempts('service key', ({ serviceKey }) => serviceKey),
  ...workflow,
  ...schedules,
  ...others,
];
