import { CloudWatchLogsClient, CreateLogGroupCommand, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyBucket } from '../../../infra/verify/destroy-stage.ts';
import { leftoversOf } from '../../../infra/verify/leftovers.ts';
import type { FoundStack } from '../../../infra/verify/stacks.ts';
import { newStage } from '../../../infra/verify/throwaway-stage.ts';

const s3 = new S3Client();
const logs = new CloudWatchLogsClient();

/** A stack as it was before its deletion. CloudFormation no longer knows it. */
const stackWith = (...resources: readonly FoundStack['resources'][number][]): FoundStack => ({
  name: 'PaymentService-gone',
  id: 'PaymentService-gone',
  status: 'CREATE_COMPLETE',
  resources,
});

const made = (type: string, physicalId: string, logicalId = 'One', status = '') => ({
  type,
  physicalId,
  logicalId,
  status,
});

describe('the remains of a stage', () => {
  it('are found by its name, wherever data is stored', async () => {
    const stage = newStage(Math.random);
    const names = [`files-${stage}`, `Table-${stage}`, `secret/${stage}`, `/aws/vendedlogs/${stage}`] as const;
    const [bucket, table, secret, logGroupName] = names;
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const dynamodb = new DynamoDBClient();
    await dynamodb.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
      }),
    );
    const secrets = new SecretsManagerClient();
    await secrets.send(new CreateSecretCommand({ Name: secret, SecretString: '{}' }));
    await logs.send(new CreateLogGroupCommand({ logGroupName }));
    expect((await leftoversOf(stage, [])).left.toSorted()).toEqual(names.toSorted());
    await s3.send(new DeleteBucketCommand({ Bucket: bucket }));
    await dynamodb.send(new DeleteTableCommand({ TableName: table }));
    await secrets.send(new DeleteSecretCommand({ SecretId: secret, ForceDeleteWithoutRecovery: true }));
    await logs.send(new DeleteLogGroupCommand({ logGroupName }));
    expect((await leftoversOf(stage, [])).left).toEqual([]);
  });

  it('include the log that API Gateway made for its API', async () => {
    const apiId = newStage(Math.random);
    const logGroupName = `API-Gateway-Execution-Logs_${apiId}/v1`;
    await logs.send(new CreateLogGroupCommand({ logGroupName }));
    onTestFinished(async () => {
      await logs.send(new DeleteLogGroupCommand({ logGroupName }));
    });
    const stacks = [stackWith(made('AWS::ApiGateway::RestApi', apiId))];
    expect((await leftoversOf('throwaway-other', stacks)).left).toEqual([logGroupName]);
  });

  it('are what its stacks kept, except for what belongs to the account or goes with its owner', async () => {
    const kept = stackWith(
      made('AWS::DynamoDB::Table', 'payouts', 'Table', 'DELETE_SKIPPED'),
      made('AWS::S3::Bucket', 'files', 'Files', 'DELETE_COMPLETE'),
      made('AWS::SQS::Queue', '', 'Hints', 'CREATE_FAILED'),
      made('AWS::IAM::Role', 'role', 'ServiceApiCloudWatchRole12', 'DELETE_SKIPPED'),
      made('AWS::ApiGateway::Account', 'account', 'ServiceApiAccount', 'DELETE_SKIPPED'),
      made('AWS::Lambda::Version', 'version', 'Version', 'DELETE_SKIPPED'),
    );
    const leftBy = async (status: string) =>
      (await leftoversOf('throwaway-other', [kept], async () => ({ ...kept, status }))).left;
    expect(await leftBy('DELETE_COMPLETE')).toEqual(['AWS::DynamoDB::Table payouts is DELETE_SKIPPED']);
    expect(await leftBy('DELETE_FAILED')).toContain('the stack PaymentService-gone is DELETE_FAILED');
  });

  it('may include keys that await deletion, and API Gateway’s role for logs', async () => {
    const stacks = [
      stackWith(made('AWS::KMS::Key', 'key'), made('AWS::IAM::Role', 'role', 'ServiceApiCloudWatchRole12')),
    ];
    const { left, stays } = await leftoversOf('throwaway-other', stacks);
    expect(left).toEqual([]);
    expect(stays).toEqual([expect.stringContaining('keys after 30 days'), expect.stringContaining('role')]);
  });
});

it('objects are removed from a bucket in every version, including deleted ones', async () => {
  const Bucket = newStage(Math.random);
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  for (const Key of ['a', 'a', 'b']) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  const held = async () => {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    return [Versions.length, DeleteMarkers.length];
  };
  expect(await held()).toEqual([3, 1]);
  await emptyBucket(Bucket);
  expect(await held()).toEqual([0, 0]);
  await s3.send(new DeleteBucketCommand({ Bucket }));
});
