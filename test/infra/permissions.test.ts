import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../functions/api/schemas/operations.ts';
import { problems, problemType } from '../../functions/api/schemas/problem.ts';
import { orchestratorFunctions, orchestratorInvocations, orchestratorRights } from '../support/roles/rights.ts';
import {
  allowedEverywhere,
  composed,
  neededEverywhere,
  permissionsByRole,
  resourcesOf,
} from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PayoutOrchestrator');
const roles = permissionsByRole(resources);
const environment = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });

const functions = orchestratorFunctions;

const permissionsOf = (name: string): readonly string[] => {
  const [, found] = [...roles].find(([role]) => new RegExp(`^[A-Z]\\w*?${name}Role[0-9A-F]{8}$`).test(role)) ?? [];
  return found ?? [];
};

const functionOf = (name: string) =>
  resources.find(
    ({ Type, logicalId }) =>
      Type === 'AWS::Lambda::Function' && new RegExp(`^[A-Z]\\w*?${name}[0-9A-F]{8}$`).test(logicalId),
  );

const environmentOf = (name: string): Readonly<Record<string, unknown>> =>
  environment.parse(functionOf(name)?.Properties).Environment.Variables;

const ledgerActions = (name: string) =>
  [
    ...new Set(
      permissionsOf(name).flatMap((line) => /^dynamodb:(\w+) <PayoutLedgerTable\w+\.Arn>/.exec(line)?.[1] ?? []),
    ),
  ].sort();

const fileWords: readonly (readonly [RegExp, string])[] = [
  [/^s3:ListBucket <PayoutFilesBucket\w+\.Arn>$/, 'uploads find'],
  [/^s3:ListBucketVersions <PayoutFilesBucket\w+\.Arn>$/, 'uploads list'],
  [/^s3:GetObject <PayoutFilesBucket\w+\.Arn>\/uploads\/\*$/, 'uploads read'],
  [/^s3:GetObjectVersion <PayoutFilesBucket\w+\.Arn>\/uploads\/\*$/, 'uploads read'],
  [/^s3:GetObject <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/plan-\*$/, 'plans read'],
  [
    /^s3:GetObject <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/(reports\/\*|plan-\*\/((errors|repeated-debts)\.csv|to-correct\.\*|pain-002\.xml))$/,
    'reports read',
  ],
  [/^s3:GetObject <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/proofs\/\*$/, 'proofs read'],
  [/^s3:GetObject <PayoutFilesBucket\w+\.Arn>\/archives\/\*$/, 'archives read'],
  [/^s3:(PutObject|AbortMultipartUpload) <PayoutFilesBucket\w+\.Arn>\/archives\/\*$/, 'archives write'],
  [/^s3:(PutObject|AbortMultipartUpload) <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/plan-\*$/, 'plans write'],
  [/^s3:(PutObject|AbortMultipartUpload) <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/submit\/\*$/, 'rounds write'],
  [/^s3:(PutObject|AbortMultipartUpload) <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/proofs\/\*$/, 'proofs write'],
  [/^s3:(PutObject|AbortMultipartUpload) <PayoutFilesBucket\w+\.Arn>\/batches\/\*\/reports\/\*$/, 'reports write'],
];

const fileAccess = (name: string) =>
  new Set(
    permissionsOf(name)
      .filter((line) => line.startsWith('s3:'))
      .map((line) => fileWords.find(([shape]) => shape.test(line))?.[1] ?? line),
  );

describe('who may do what', () => {
  it('is said here for every function there is', () => {
    expect(functions).toHaveLength(resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').length);
  });

  it.each(functions)('%s may do with the ledger what it does, and no more', (name, _, ledger) => {
    expect(ledgerActions(name)).toEqual([...ledger].sort());
  });

  it.each(functions)('%s may do with the files what it does, and no more', (name, _, __, files) => {
    expect(fileAccess(name)).toEqual(new Set(files));
  });

  it.each(functions)('%s is told and may use what its file takes from the runtime, and nothing else', (name, file) => {
    const text = readFileSync(new URL(`../../functions/${file}.ts`, import.meta.url), 'utf8');
    const taken = /import \{([^}]+)\} from '\.\.\/runtime\.ts'/.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
    const takes = (...names: readonly string[]) => names.some((one) => taken.includes(one));
    const told = environmentOf(name);
    expect('LEDGER_TABLE' in told).toBe(takes('ledger'));
    expect('FILES_BUCKET' in told).toBe(takes('files', 'filesBucket'));
    expect('PROVIDER_BASE_URL' in told).toBe(takes('provider'));
    expect('PROVIDER_POSTS_PER_SECOND' in told).toBe(takes('provider', 'pace'));
    expect('PROVIDER_READS_PER_SECOND' in told).toBe(takes('provider', 'pace'));
    expect('EVENT_BUS_NAME' in told).toBe(takes('eventBus'));
    expect('NOTICE_TOPIC_ARN' in told).toBe(takes('people'));
    expect(permissionsOf(name).some((line) => line.startsWith('sns:Publish <NoticesTopic'))).toBe(takes('people'));
    expect('API_URL' in told).toBe(takes('apiUrl'));
    expect('STATE_MACHINE_ARN' in told).toBe(takes('workflow'));
    expect('STEERING_FUNCTION' in told).toBe(takes('steeringFunction'));
    expect('ARCHIVE_FUNCTION' in told).toBe(takes('archives'));
    expect('PAUSE_FUNCTION' in told && 'CANCEL_FUNCTION' in told).toBe(takes('steering'));
    expect('BEGINNING_FUNCTION' in told).toBe(takes('beginningFunction'));
    expect('START_FUNCTION' in told).toBe(takes('beginning'));
    expect('UPLOAD_PAGE' in told).toBe(takes('uploadPage'));
    expect('HINT_QUEUE_URL' in told).toBe(takes('hintQueue', 'asideHints'));
    expect('WEBHOOK_SECRET_NAME' in told).toBe(takes('webhookSettings'));
    expect(permissionsOf(name).some((line) => line.startsWith('secretsmanager:GetSecretValue'))).toBe(
      takes('provider', 'webhookSettings'),
    );
  });

  it.each(functions)('%s may keep the provider’s limit in the ledger when it asks the provider', (name) => {
    const rights = ledgerActions(name);
    const mayPace = rights.includes('GetItem') && rights.includes('PutItem');
    expect('PROVIDER_BASE_URL' in environmentOf(name) && !mayPace).toBe(false);
  });

  it('lets only the steps that move money, and three whose reads the provider puts beside them, read what moves it', () => {
    const reads = (secret: string) =>
      functions
        .map(([name]) => name)
        .filter((name) => permissionsOf(name).some((line) => line.includes(`/${secret}-??????`)));
    expect(reads('authorization')).toEqual(orchestratorRights.authorization);
    expect(reads('signing')).toEqual(orchestratorRights.signing);
    expect(reads('webhook/production')).toEqual(orchestratorRights.webhookAddress);
    const whole = functions.filter(([name]) =>
      permissionsOf(name).some((line) => /merchants\/production\/[\w-]+-\?{6}$/.test(line)),
    );
    expect(whole).toEqual([]);
  });

  it.each(functions)('%s names its actions one by one', (name) => {
    expect(permissionsOf(name).filter((line) => /^\S*\*\S* /.test(line))).toEqual([]);
  });

  it.each(functions)(
    '%s may touch anything at all for its traces alone, or to list streams when it reads one',
    (name) => {
      const permissions = permissionsOf(name);
      expect(allowedEverywhere(permissions)).toEqual(neededEverywhere(permissions));
    },
  );

  it('invoking functions is for the console’s alone, each the few that it needs', () => {
    const invoking = functions.flatMap(([name]) =>
      permissionsOf(name)
        .filter((line) => line.startsWith('lambda:'))
        .map((line) => `${name} ${line.replaceAll(/[0-9A-F]{8}(?=\.)/g, '')}`),
    );
    const said = Object.entries(orchestratorInvocations).flatMap(([name, invoked]) =>
      invoked.map((one) => `${name} lambda:InvokeFunction <OperatorApi${one}.Arn>`),
    );
    expect(invoking.toSorted()).toEqual(said.toSorted());
  });

  it('whatever waits for a function has longer than that', () => {
    const timeoutOf = (name: string): number =>
      z.object({ Timeout: z.int() }).parse(functionOf(name)?.Properties).Timeout;
    for (const [name, invoked] of Object.entries(orchestratorInvocations))
      for (const one of invoked) expect(timeoutOf(name)).toBeGreaterThan(timeoutOf(one));
  });

  it('lists names of payout files, and of no other files', () => {
    const policies = resources.filter(
      ({ Type, logicalId }) => Type === 'AWS::IAM::Policy' && logicalId.includes('DrawConsole'),
    );
    expect(JSON.stringify(policies.map(({ Properties }) => Properties))).toContain(
      '{"Action":"s3:ListBucketVersions","Condition":{"StringLike":{"s3:prefix":"uploads/*"}},"Effect":"Allow"',
    );
  });

  it('what answers to the whole internet may put webhooks into the ledger, and nothing else', () => {
    const policies = resources.filter(
      ({ Type, logicalId }) => Type === 'AWS::IAM::Policy' && logicalId.includes('ReceiveWebhook'),
    );
    const text = JSON.stringify(policies.map(({ Properties }) => Properties));
    expect(text.split('"dynamodb:')).toHaveLength(3 + 1);
    expect(text).toContain(
      '{"Action":["dynamodb:PutItem","dynamodb:UpdateItem"],"Condition":{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["WEBHOOK#*"]}},"Effect":"Allow"',
    );
  });

  it('who tells of batches may write events into the ledger, and nothing else, and put them on the stack’s bus', () => {
    const tellers = orchestratorRights.publishesEvents;
    const text = (name: string) =>
      JSON.stringify(
        resources
          .filter(({ Type, logicalId }) => Type === 'AWS::IAM::Policy' && logicalId.includes(`${name}Role`))
          .map(({ Properties }) => Properties),
      );
    for (const name of tellers) {
      expect(text(name).split('"dynamodb:PutItem"')).toHaveLength(2);
      expect(text(name)).toContain(
        '{"Action":["dynamodb:DeleteItem","dynamodb:PutItem","dynamodb:UpdateItem"],"Condition":{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["EVENTS#*"]}},"Effect":"Allow"',
      );
    }
    const putters = functions.filter(([name]) =>
      permissionsOf(name).some((line) => /^events:PutEvents <EventsBus\w+\.Arn>$/.test(line)),
    );
    expect(putters.map(([name]) => name)).toEqual(tellers);
  });

  it('starting an execution is for the endpoints that do, and for the step that hands over to the next', () => {
    const starters = functions.filter(([name]) =>
      permissionsOf(name).some((line) => line.startsWith('states:StartExecution')),
    );
    expect(starters.map(([name]) => name)).toEqual(orchestratorRights.startsExecutions);
  });
});

describe('the queues of hints', () => {
  const queueActions = (name: string) =>
    permissionsOf(name)
      .filter((line) => line.startsWith('sqs:'))
      .map((line) => line.replaceAll(/[0-9A-F]{8}(?=\.)/g, ''))
      .sort();
  const hints = '<WebhooksHints.Arn>';
  const aside = '<WebhooksUnapplied.Arn>';

  it.each([
    ['ReceiveWebhook', []],
    ['HandOnWebhook', [`sqs:SendMessage ${hints}`]],
    [
      'ApplyWebhook',
      [
        ...['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'].map(
          (action) => `sqs:${action} ${hints}`,
        ),
        `sqs:SendMessage ${aside}`,
      ],
    ],
    [
      'ReapplyWebhooks',
      [
        `sqs:SendMessage ${hints}`,
        ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action} ${aside}`),
      ],
    ],
  ])('%s may do its part with them', (name, actions) => {
    expect(queueActions(name)).toEqual([...actions].sort());
  });

  it('set a hint aside after one try more than there are waits', () => {
    const queue = resources.find(({ logicalId }) => /^WebhooksHints[0-9A-F]{8}$/.test(logicalId));
    expect(queue?.Properties).toMatchObject({ RedrivePolicy: { maxReceiveCount: 12 }, VisibilityTimeout: 6 * 330 });
  });
});

describe('the API', () => {
  it('takes webhooks by a throttle of their own, and says so by the problem that is described', () => {
    const stage = resources.find(({ Type }) => Type === 'AWS::ApiGateway::Stage');
    expect(stage?.Properties['MethodSettings']).toMatchObject([
      { HttpMethod: '*', ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      {
        HttpMethod: 'POST',
        ResourcePath: '/~1webhooks~1{token}',
        ThrottlingRateLimit: 50,
        ThrottlingBurstLimit: 100,
        DataTraceEnabled: false,
      },
    ]);
    const answer = resources.find(
      ({ Type, Properties }) =>
        Type === 'AWS::ApiGateway::GatewayResponse' && Properties['ResponseType'] === 'THROTTLED',
    );
    const { ResponseTemplates } = z
      .object({ ResponseTemplates: z.object({ 'application/json': z.string() }) })
      .parse(answer?.Properties);
    expect(JSON.parse(ResponseTemplates['application/json'])).toMatchObject({
      type: problemType('too_many_requests'),
      ...problems.too_many_requests,
    });
  });

  it('has every operation of its description, and the webhook', () => {
    const template = JSON.stringify(resources.filter(({ Type }) => Type === 'AWS::ApiGateway::Method'));
    const methods = resources.filter(({ Type }) => Type === 'AWS::ApiGateway::Method');
    expect(methods).toHaveLength(operations.length + 1);
    for (const { path } of operations) {
      const last = path.split('/').at(-1)?.replaceAll(/[{}.]/g, '') ?? '';
      expect(template).toContain(last);
    }
  });
});
