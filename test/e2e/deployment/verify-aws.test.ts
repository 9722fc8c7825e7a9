import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateAccessKeyCommand, CreateUserCommand, IAMClient, PutUserPolicyCommand } from '@aws-sdk/client-iam';
import { GetFunctionRecursionConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DescribeStateMachineCommand, SFNClient, ValidateStateMachineDefinitionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { PlainError } from '../../../infra/local/plain-error.ts';
import { verifiedLocalAws } from '../../../infra/verify/account.ts';
import { destroyStage } from '../../../infra/verify/destroy-stage.ts';
import { prepare } from '../../../infra/verify/prepare.ts';
import { stacksOf } from '../../../infra/verify/stacks.ts';
import { newStage } from '../../../infra/verify/throwaway-stage.ts';
import type { VerifiedAws } from '../../../infra/verify/verified-aws.ts';
import type { Findings } from '../../../infra/verify/verify-stage.ts';
import { verifyStage } from '../../../infra/verify/verify-stage.ts';
import { casesOf } from '../../../infra/verify/workflow/state-cases.ts';
import { interpreter, problemOf } from '../../../infra/verify/workflow/test-states.ts';
import { csvOf, idrRow } from '../deployed/deployed-orchestrator.ts';

const { aws, outputs } = inject('localAws');

const awsWithNewStage = () => verifiedLocalAws(aws, newStage(Math.random));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'verify-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const keysInEnvironment = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/** An IAM user with exactly the rights that the README requires. All others here may do everything. */
const makeCaller = async (): Promise<readonly [string, string]> => {
  const iam = new IAMClient();
  const UserName = newStage(Math.random);
  const PolicyDocument = readFileSync(new URL('../../../infra/verify/caller-policy.json', import.meta.url), 'utf8');
  await iam.send(new CreateUserCommand({ UserName }));
  await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'verifies', PolicyDocument }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  return [AccessKey?.AccessKeyId ?? '', AccessKey?.SecretAccessKey ?? ''];
};

describe('verifying a temporary stage with the rights of caller-policy.json', () => {
  const verified = awsWithNewStage();
  const lines: string[] = [];
  const collect = (line: string) => void lines.push(line);
  let findings: Findings;
  let monthlyUsd: string;

  beforeAll(async () => {
    const file = path.join(folder, 'payouts.csv');
    await writeFile(file, csvOf(idrRow(), idrRow(), idrRow()));
    const [accessKeyId, secretAccessKey] = await makeCaller();
    const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    const asCaller: VerifiedAws = {
      ...verified,
      target: { ...verified.target, environment: { ...verified.target.environment, ...keys } },
      credentials: { accessKeyId, secretAccessKey },
    };
    const before = keysInEnvironment.map((name) => [name, process.env[name]]);
    Object.assign(process.env, keys);
    try {
      const prepared = await prepare(asCaller);
      monthlyUsd = prepared.monthlyUsd;
      const { signal } = new AbortController();
      findings = await verifyStage({ aws: asCaller, prepared, file, signal, say: collect, onCdkLine: collect });
    } finally {
      Object.assign(process.env, Object.fromEntries(before));
    }
  });

  it('finds no problem', () => {
    expect(findings.problems, lines.join('\n')).toEqual([]);
  });

  it('checks every state, pays the file, and leaves nothing', () => {
    expect(findings.holds).toEqual([
      expect.stringMatching(/^Each state follows its definition \(\d{3} questions about \d\d states\)$/),
      'Every row of the file is accounted for (batch completed, 3 payouts, 3 proofs)',
      'Nothing is left of the stage',
    ]);
    expect(findings.costs).toEqual([expect.stringMatching(/^AWS cost by the price list: 0\.00\d\d USD/)]);
    expect(Number(monthlyUsd)).toBeGreaterThan(10);
  });

  it('lists what only an AWS account can show', () => {
    expect(findings.leftOut.map((line) => /\((.+)\)$/.exec(line)?.[1])).toEqual([
      'its TestState applies Catch before Retry',
      'its TestState has no Parallel',
      'its TestState has no Map',
      'it accepts every definition',
      'its stacks leave that setting out',
      'its stacks leave warm throughput out',
      'it writes no execution logs',
    ]);
  });

  it('leaves the role for API logs to the stage that set it', () => {
    expect(findings.stays.join()).not.toContain('role');
  });

  it('refuses an existing stage without destroying more of it', async () => {
    expect(await stacksOf(verified.target.settings.stage)).toEqual([]);
    const there = {
      ...verified,
      target: { ...verified.target, settings: { ...verified.target.settings, stage: 'local' } },
    };
    await expect(prepare(there)).rejects.toThrow('is not a throwaway stage');
    await expect(destroyStage(there, { say: () => {}, onCdkLine: () => {} })).rejects.toThrow(
      'is not a throwaway stage',
    );
    expect(await stacksOf('local')).toHaveLength(2);
  });
});

it('destroys everything when it is interrupted during deployment', async () => {
  const verified = awsWithNewStage();
  const interrupted = new AbortController();
  const onCdkLine = (line: string) => {
    if (line.startsWith('PayoutOrchestrator') && line.includes('CREATE'))
      interrupted.abort(new PlainError('It was interrupted.'));
  };
  const { problems, holds } = await verifyStage({
    ...{ aws: verified, prepared: await prepare(verified), file: 'none', say: () => {}, onCdkLine },
    signal: interrupted.signal,
  });
  expect(interrupted.signal.aborted).toBe(true);
  expect(problems).toEqual(['It was interrupted.']);
  expect(holds).toEqual(['Nothing is left of the stage']);
  expect(await stacksOf(verified.target.settings.stage)).toEqual([]);
});

/** When one of these fails, the local AWS has gained the feature, and the check needs no account anymore. */
describe('gaps of the local AWS', () => {
  const sfn = new SFNClient();

  it('do not show how a Map and a Parallel continue, or retries beside a Catch', async () => {
    const { StateMachineArn: stateMachineArn } = outputs.PayoutOrchestrator;
    const { definition = '' } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
    const left = casesOf(definition).filter(({ onlyOnAws }) => onlyOnAws !== undefined);
    expect(left.length).toBeGreaterThan(20);
    for (const one of left) expect(await problemOf(interpreter(true), one)).toBeDefined();
  });

  it('do not show whether a definition is valid', async () => {
    const answer = await sfn.send(new ValidateStateMachineDefinitionCommand({ definition: '{"nonsense":1}' }));
    expect(answer).toMatchObject({ result: 'OK', diagnostics: [] });
  });

  it('do not show which function may invoke itself endlessly', async () => {
    const lambda = new LambdaClient();
    const functions = (await stacksOf('local')).flatMap(({ resources }) =>
      resources.filter(({ type }) => type === 'AWS::Lambda::Function'),
    );
    const settings = new Set<string | undefined>();
    for (const { physicalId: FunctionName } of functions)
      settings.add((await lambda.send(new GetFunctionRecursionConfigCommand({ FunctionName }))).RecursiveLoop);
    expect(settings).toEqual(new Set(['Terminate']));
  });

  it('do not show a table’s warm throughput', async () => {
    const cloudFormation = new CloudFormationClient();
    const StackName = newStage(Math.random);
    const Properties = {
      TableName: StackName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
      Replicas: [{ Region: aws.region }],
      WarmThroughput: { WriteUnitsPerSecond: 8000 },
    };
    const TemplateBody = JSON.stringify({ Resources: { Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties } } });
    await cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody }));
    await waitUntilStackCreateComplete({ client: cloudFormation, maxWaitTime: 30, minDelay: 1 }, { StackName });
    const { Table } = await new DynamoDBClient().send(new DescribeTableCommand({ TableName: StackName }));
    expect(Table?.TableStatus).toBe('ACTIVE');
    expect(Table?.WarmThroughput?.WriteUnitsPerSecond).not.toBe(8000);
    await cloudFormation.send(new DeleteStackCommand({ StackName }));
  });
});
