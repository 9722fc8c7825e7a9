import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { realProvider } from '../support/real-provider.ts';
import { newlyComposed } from '../support/synthesized.ts';

const report = z.object({ pluginReports: z.array(z.object({ violations: z.array(z.unknown()) })) });

it.each([
  ['production', {}],
  ['local', { stage: 'local', localEndpoint: 'https://localhost:4566' }],
  ['locked records', { objectLockDays: 30 }],
  [
    'notices by mail and webhook',
    { notifyEmail: 'clerk@example.com', eventWebhook: { url: 'https://m.example/hooks', secretName: 'm/events' } },
  ],
  ['a real account', { provider: realProvider }],
  ['a provider that lists its callers', { provider: { ...realProvider, staticAddresses: 2 } }],
  [
    'a customer-managed key, and no log role',
    {
      setsApiLogRole: false,
      provider: {
        ...realProvider,
        secretsKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555',
      },
    },
  ],
])('AwsSolutions finds nothing without a stated reason (%s)', (_, settings) => {
  const app = newlyComposed(settings);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { directory } = app.synth();
  const found = report.parse(JSON.parse(readFileSync(path.join(directory, 'validation-report.json'), 'utf8')));
  expect(found.pluginReports.flatMap(({ violations }) => violations)).toEqual([]);
});
