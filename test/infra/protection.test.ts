import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { realProvider } from '../support/real-provider.ts';
import { composed, readable, resourcesOf } from '../support/synthesized.ts';

const production = composed();
const resources = resourcesOf(production, 'PayoutOrchestrator');
const local = resourcesOf(composed({ stage: 'local' }), 'PayoutOrchestrator');
const ofType = (type: string, among = resources) => among.filter(({ Type }) => Type === type);

describe('data about money', () => {
  it.each([
    ['AWS::S3::Bucket', 'RetainExceptOnCreate'],
    ['AWS::KMS::Key', 'RetainExceptOnCreate'],
    ['AWS::SecretsManager::Secret', 'RetainExceptOnCreate'],
    ['AWS::Logs::LogGroup', 'RetainExceptOnCreate'],
    ['AWS::Lambda::Version', 'RetainExceptOnCreate'],
    // Deletion protection would make the rollback of its creation fail.
    ['AWS::DynamoDB::GlobalTable', 'Retain'],
  ])('%s outlives its stack, by the policy %s', (type, policy) => {
    const found = ['PayoutOrchestrator', 'PaymentService'].flatMap((stack) =>
      ofType(type, resourcesOf(production, stack)),
    );
    expect(found).not.toEqual([]);
    expect(new Set(found.map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set([policy]));
    expect(new Set(found.map(({ UpdateReplacePolicy }) => UpdateReplacePolicy))).toEqual(new Set(['Retain']));
  });

  const keptBy = (policy: RegExp) =>
    ['PayoutOrchestrator', 'PaymentService'].flatMap((stack) =>
      resourcesOf(production, stack).filter(({ DeletionPolicy = '' }) => policy.test(DeletionPolicy)),
    );
  const namesOf = (found: ReturnType<typeof keptBy>) =>
    found.flatMap(({ Properties }) =>
      ['Name', 'TableName', 'BucketName', 'LogGroupName', 'RoleName'].flatMap((key) => Properties[key] ?? []),
    );

  it('has no fixed names where a failed first deployment keeps it, because that would block the next one', () => {
    const kept = keptBy(/^Retain$/);
    expect(kept).not.toEqual([]);
    expect(namesOf(kept)).toEqual([]);
  });

  /** What has such a name stays when its stage is taken down. A person deletes it before the stage is deployed again. */
  const fixedNames = [
    ['its prefix spares an entry in a resource policy', /^\/aws\/vendedlogs\/states\/[\w-]+-batch$/],
    ['people add signing secrets to it', /^payout-orchestrator\/webhook\/production$/],
    ['merchants read it', /^payment-service\/merchants\/production\/[\w-]+(\/[\w-]+)?$/],
  ] as const;
  it.each(fixedNames)('has a fixed name where %s: %s', (_why, name) => {
    expect(namesOf(keptBy(/^Retain/))).toContainEqual(expect.stringMatching(name));
  });

  it('has no other fixed name', () => {
    const isKnown = (name: unknown) => fixedNames.some(([, known]) => known.test(String(name)));
    expect(namesOf(keptBy(/^Retain/)).filter((name) => !isKnown(name))).toEqual([]);
  });

  it.each(['AWS::S3::Bucket', 'AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key'])(
    '%s is deleted with a local stack',
    (type) => {
      expect(new Set(ofType(type, local).map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(new Set(['Delete']));
    },
  );

  it('protects stacks from deletion, except in stages that keep nothing', () => {
    const protects = (stage: string) =>
      composed({ stage })
        .synth()
        .stacks.map(({ terminationProtection }) => terminationProtection);
    expect(new Set(protects('production'))).toEqual(new Set([true]));
    expect(new Set(protects('local'))).toEqual(new Set([false]));
    expect(new Set(protects('throwaway-1'))).toEqual(new Set([false]));
  });

  it('keeps every version of a payout file, encrypted with a customer-managed key', () => {
    const bucket = ofType('AWS::S3::Bucket').find(({ logicalId }) => logicalId.startsWith('PayoutFilesBucket'));
    expect(bucket?.Properties).toMatchObject({ VersioningConfiguration: { Status: 'Enabled' } });
    expect(JSON.stringify(bucket?.Properties['BucketEncryption'])).toContain('aws:kms');
  });

  it('keeps every version of every object', () => {
    const versioning = ofType('AWS::S3::Bucket').map(({ Properties }) => Properties['VersioningConfiguration']);
    expect(versioning).toEqual([{ Status: 'Enabled' }, { Status: 'Enabled' }]);
  });

  it('can restore the ledger to any moment, and encrypts it with a customer-managed key', () => {
    const [table] = ofType('AWS::DynamoDB::GlobalTable');
    expect(JSON.stringify(table?.Properties['Replicas'])).toContain('"PointInTimeRecoveryEnabled":true');
    expect(table?.Properties).toMatchObject({ SSESpecification: { SSEEnabled: true, SSEType: 'KMS' } });
  });
});

describe('proofs and reports', () => {
  const withLock = (settings: Readonly<Record<string, unknown>>) => {
    const found = resourcesOf(composed(settings), 'PayoutOrchestrator');
    const locks = ofType('AWS::Lambda::Function', found).flatMap(({ logicalId, Properties }) => {
      const lock = /RECORD_LOCK":"(.*?\})"/.exec(JSON.stringify(Properties))?.[1]?.replaceAll('\\', '');
      return lock === undefined ? [] : [[logicalId.replace(/[0-9A-F]{8}$/, ''), lock]];
    });
    const bucket = ofType('AWS::S3::Bucket', found).find(({ logicalId }) => logicalId.startsWith('PayoutFilesBucket'));
    return { enabled: bucket?.Properties['ObjectLockEnabled'] ?? false, locks };
  };

  it('are not locked by default', () => {
    expect(withLock({})).toEqual({ enabled: false, locks: [] });
  });

  it('are locked for the configured days by the steps that write them', () => {
    const lock = '{"mode":"COMPLIANCE","days":3650}';
    expect(withLock({ objectLockDays: 3650, objectLockMode: 'compliance' })).toEqual({
      enabled: true,
      locks: [
        ['BatchWorkflowFollow', lock],
        ['BatchWorkflowReportBatch', lock],
      ],
    });
  });
});

describe('nothing is public', () => {
  it.each(ofType('AWS::S3::Bucket').map(({ logicalId, Properties }) => [logicalId, Properties] as const))(
    'the bucket %s refuses any public access',
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

  it.each(['PayoutOrchestrator', 'PaymentService'])(
    'the table of %s refuses requests without TLS, and is encrypted with a customer-managed key',
    (stack) => {
      const tables = ofType('AWS::DynamoDB::GlobalTable', resourcesOf(production, stack));
      expect(tables).toHaveLength(1);
      const [text = ''] = tables.map(({ Properties }) => JSON.stringify(Properties['Replicas']));
      expect(text).toContain(
        '"Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny","Principal":{"AWS":"*"}',
      );
      expect(text).toContain('"dynamodb:PutItem"');
      expect(text).toMatch(/"KMSMasterKeyId":\{"Fn::GetAtt":\["\w*Key\w*","Arn"\]\}/);
    },
  );

  it.each(['PayoutOrchestrator', 'PaymentService'])(
    'every queue of %s refuses requests without TLS, and is encrypted',
    (stack) => {
      const found = resourcesOf(production, stack);
      const queues = ofType('AWS::SQS::Queue', found);
      expect(queues.length).toBeGreaterThan(0);
      expect(new Set(queues.map(({ Properties }) => Properties['SqsManagedSseEnabled']))).toEqual(new Set([true]));
      const policies = ofType('AWS::SQS::QueuePolicy', found).map(({ Properties }) => JSON.stringify(Properties));
      expect(policies).toHaveLength(queues.length);
      for (const policy of policies) expect(policy).toContain('"aws:SecureTransport":"false"');
    },
  );

  it('every method of the API except the webhook requires IAM', () => {
    const method = z.object({ HttpMethod: z.string(), AuthorizationType: z.string(), ResourceId: z.unknown() });
    const methods = ofType('AWS::ApiGateway::Method').map(({ Properties }) => method.parse(Properties));
    const open = methods.filter(({ AuthorizationType }) => AuthorizationType !== 'AWS_IAM');
    expect(methods.length).toBeGreaterThan(9);
    expect(open.map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${readable(ResourceId)}`)).toEqual([
      expect.stringMatching(/^POST <OperatorApi\w*webhookstoken/),
    ]);
  });

  it('the API logs callers and requests, but no body, header or path with a token', () => {
    const [stage] = ofType('AWS::ApiGateway::Stage');
    expect(stage?.Properties['MethodSettings']).toMatchObject([
      { DataTraceEnabled: false },
      { DataTraceEnabled: false },
    ]);
    const settings = JSON.stringify(stage?.Properties['AccessLogSetting']);
    expect(settings).toContain('$context.identity.userArn');
    expect(settings).toContain('$context.httpMethod');
    expect(settings).toContain('$context.resourcePath');
    expect(settings).not.toMatch(/body|header|context\.path/i);
  });
});

describe('traces', () => {
  it.each(['PayoutOrchestrator', 'PaymentService'])(
    'of the API of %s are off, because they would contain addresses with secrets',
    (stack) => {
      const stages = ofType('AWS::ApiGateway::Stage', resourcesOf(production, stack));
      expect(stages.map(({ Properties }) => Properties['TracingEnabled'] ?? false)).toEqual([false]);
    },
  );

  it('of functions contain only what AWS adds, because no code adds anything', () => {
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
    expect(Object.keys(dependencies).length).toBeGreaterThan(10);
    expect(Object.keys(dependencies).filter((name) => /tracer|xray|opentelemetry/.test(name))).toEqual([]);
  });
});

it('every function runs on Node 24 on arm64, with traces and a log group that expires', () => {
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

it('configuration alone selects a real account, and then there is no sandbox', () => {
  const app = composed({ provider: { ...realProvider, postsPerSecond: 0.5 } });
  expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(['PayoutOrchestrator-production']);
  const environments = resourcesOf(app, 'PayoutOrchestrator').map(({ Properties }) => JSON.stringify(Properties));
  expect(environments.join()).toContain('"PROVIDER_BASE_URL":"https://pay.example"');
  expect(environments.join()).toContain('"PROVIDER_POSTS_PER_SECOND":"0.5","PROVIDER_READS_PER_SECOND":"50"');
});
