import { readFileSync } from 'node:fs';
import path from 'node:path';
import { App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { realProvider } from '../support/real-provider.ts';
import { newlyComposed } from '../support/synthesized.ts';

const report = z.object({ pluginReports: z.array(z.object({ violations: z.array(z.unknown()) })) });

// Other tests leave CloudFormation's own rules out. See vitest.config.ts.
beforeAll(() => void vi.stubEnv('CDK_VALIDATION', 'true'));
afterAll(() => void vi.unstubAllEnvs());

/** What AwsSolutions and CloudFormation's own rules find in the app's templates. Throws when one of them finds an error. */
const findingsOf = (app: App): readonly unknown[] => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { directory } = app.synth();
  const found = report.parse(JSON.parse(readFileSync(path.join(directory, 'validation-report.json'), 'utf8')));
  return found.pluginReports.flatMap(({ violations }) => violations);
};

it('both rule sets find faults', () => {
  const app = new App();
  const stack = new Stack(app, 'Faulty');
  new Bucket(stack, 'WithoutLogs');
  new CfnResource(stack, 'Misspelled', { type: 'AWS::S3::Bucket', properties: { BuketName: 'payouts' } });
  expect(() => findingsOf(app)).toThrow(/\(AwsSolutions\).*\(CloudFormation Validate\)/s);
});

// Settings that do not affect each other share an app, because both rule sets take a second for each.
it.each([
  ['production', {}],
  ['local', { stage: 'local', localEndpoint: 'https://localhost:4566' }],
  ['a stage that keeps nothing', { stage: 'throwaway-1' }],
  [
    'a service without a sandbox, warm tables, locked records, notices by mail and webhook',
    {
      paymentService: JSON.stringify({ sandbox: false }),
      warmWritesPerSecond: '16000',
      objectLockDays: 30,
      notifyEmail: 'clerk@example.com',
      eventWebhook: { url: 'https://m.example/hooks', secretName: 'm/events' },
    },
  ],
  ['a real account', { provider: realProvider }],
  [
    'a provider that lists its callers, a customer-managed key, no log role',
    {
      setsApiLogRole: false,
      provider: {
        ...realProvider,
        staticAddresses: 2,
        secretsKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555',
      },
    },
  ],
])('neither rule set finds anything without a stated reason (%s)', (_, settings) => {
  // Without a provider the app warns on purpose.
  expect(findingsOf(newlyComposed({ provider: { kind: 'sandbox' }, ...settings }))).toEqual([]);
});
