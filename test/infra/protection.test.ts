import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composed, readable, resourcesOf } from '../support/synthesized.ts';

const production = composed();
const resources = resourcesOf(production, 'PayoutOrchestrator');
const local = resourcesOf(composed({ stage: 'local' }), 'PayoutOrchestrator');
const ofType = (type: string, among = resources) => among.filter(({ Type }) => Type === type);

describe('what holds money’s traces', () => {
  it.each(['AWS::S3::Bucket', 'AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key'])('%s outlives its stack', (type) => {
    expect(ofType(type).map(({ DeletionPolicy }) => DeletionPolicy)).not.toEqual([]);
    expect(new Set(ofType(type).map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set(['Retain']));
  });

  it.each(['AWS::S3::Bucket', 'AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key'])('%s goes with a local stack', (type) => {
    expect(new Set(ofType(type, local).map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set(['Delete']));
  });

  it('protects the stacks from being deleted, but for the local stage', () => {
    const protects = (stage: string) =>
      composed({ stage })
        .synth()
        .stacks.map(({ terminationProtection }) => terminationProtection);
    expect(new Set(protects('production'))).toEqual(new Set([true]));
    expect(new Set(protects('local'))).toEqual(new Set([false]));
  });

  it('keeps every version of a payout file, encrypted with a key of our own', () => {
    const bucket = ofType('AWS::S3::Bucket').find(({ logicalId }) => logicalId.startsWith('PayoutFilesBucket'));
    expect(bucket?.Properties).toMatchObject({ VersioningConfiguration: { Status: 'Enabled' } });
    expect(JSON.stringify(bucket?.Properties['BucketEncryption'])).toContain('aws:kms');
  });

  it('can restore the ledger to any moment, and encrypts it with a key of our own', () => {
    const [table] = ofType('AWS::DynamoDB::GlobalTable');
    expect(JSON.stringify(table?.Properties['Replicas'])).toContain('"PointInTimeRecoveryEnabled":true');
    expect(table?.Properties).toMatchObject({ SSESpecification: { SSEEnabled: true, SSEType: 'KMS' } });
  });
});

describe('nothing is public', () => {
  it.each(ofType('AWS::S3::Bucket').map(({ logicalId, Properties }) => [logicalId, Properties] as const))(
    'the bucket %s refuses public access of any kind',
    (_, properties) => {
      expect(properties['PublicAccessBlockConfiguration']).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
    },
  );

  it('every bucket refuses requests without TLS', () => {
    const policies = ofType('AWS::S3::BucketPolicy').map(({ Properties }) => JSON.stringify(Properties));
    expect(policies).toHaveLength(ofType('AWS::S3::Bucket').length);
    for (const policy of policies) expect(policy).toContain('"aws:SecureTransport":"false"');
  });

  it('every method of the API asks for IAM, and the webhook alone does not', () => {
    const method = z.object({ HttpMethod: z.string(), AuthorizationType: z.string(), ResourceId: z.unknown() });
    const methods = ofType('AWS::ApiGateway::Method').map(({ Properties }) => method.parse(Properties));
    const open = methods.filter(({ AuthorizationType }) => AuthorizationType !== 'AWS_IAM');
    expect(methods.length).toBeGreaterThan(9);
    expect(open.map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${readable(ResourceId)}`)).toEqual([
      expect.stringMatching(/^POST <OperatorApi\w*webhookstoken/),
    ]);
  });

  it('the API logs who did what, and never a body, a header or a path with a token in it', () => {
    const [stage] = ofType('AWS::ApiGateway::Stage');
    expect(stage?.Properties['MethodSettings']).toMatchObject([
      { DataTraceEnabled: false },
      { DataTraceEnabled: false },
    ]);
    expect(JSON.stringify(stage?.Properties['AccessLogSetting'])).not.toMatch(/body|header|context\.path/i);
  });
});

it('every function runs on Node 24 on arm64, with its traces on and a log group that forgets', () => {
  const found = ofType('AWS::Lambda::Function');
  expect(found.length).toBeGreaterThan(20);
  for (const { Properties } of found) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogGroup: expect.anything() },
    });
  }
  for (const { Properties } of ofType('AWS::Logs::LogGroup')) expect(Properties['RetentionInDays']).toBeGreaterThan(0);
});

it('pays from a real account by configuration alone: there is no sandbox then', () => {
  const provider = { kind: 'service', baseUrl: 'https://pay.example', secretName: 'pay', signing: 'hmac-sha256' };
  const app = composed({ provider });
  expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['PayoutOrchestrator']);
  const environments = resourcesOf(app, 'PayoutOrchestrator').map(({ Properties }) => JSON.stringify(Properties));
  expect(environments.join()).toContain('"PROVIDER_BASE_URL":"https://pay.example"');
});
