import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composed, resourcesOf } from '../support/synthesized.ts';

const policy = z
  .object({
    Statement: z.array(
      z.object({
        Action: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
        Resource: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../infra/deployment-policy.json', import.meta.url), 'utf8')));

/** The stacks by default, and with everything that a setting can add. */
const apps = [
  composed(),
  composed({
    eventWebhook: { url: 'https://m.example/hooks', secretName: 'm/events' },
    alarmEmail: 'ops@m.example',
    notifyEmail: 'pay@m.example',
    objectLockDays: 30,
    reservedSubmitConcurrency: 40,
    provider: { kind: 'sandbox', staticAddresses: 2 },
  }),
];
const resources = apps.flatMap((app) =>
  ['PayoutOrchestrator', 'PaymentService'].flatMap((stack) => resourcesOf(app, stack)),
);
const types = [...new Set(resources.map(({ Type }) => Type))];

/** Services whose name in IAM differs from CloudFormation's. All others only differ in letter case. */
const otherNames: Readonly<Record<string, string>> = { StepFunctions: 'states' };

const serviceOf = (type: string): string => {
  const [, service = ''] = type.split('::');
  return otherNames[service] ?? service.toLowerCase();
};

const allowed = new Set(policy.Statement.flatMap(({ Action }) => Action.map((action) => action.split(':')[0])));

describe('the policy for deployments by CloudFormation', () => {
  it.each(types)('allows %s', (type) => {
    expect(allowed).toContain(serviceOf(type));
  });

  it('allows only services that the stacks use, reading the bootstrap version, and reading outputs', () => {
    const used = new Set(types.map(serviceOf));
    expect([...allowed].filter((service) => service === undefined || !used.has(service))).toEqual([
      'cloudformation',
      'ssm',
    ]);
  });

  it('allows reading the outputs of exactly the stacks from which another takes one', () => {
    const texts = apps.flatMap((app) => app.synth().stacks.map(({ template }) => JSON.stringify(template)));
    const taken = texts.flatMap((text) => [...text.matchAll(/"Fn::GetStackOutput":\{"StackName":"([A-Za-z]+)-/g)]);
    const named = new Set(taken.map(([, name]) => `arn:*:cloudformation:*:*:stack/${name}-*/*`));
    const stated = policy.Statement.filter(({ Action }) => Action.includes('cloudformation:DescribeStacks'));
    expect(new Set(stated.flatMap(({ Resource }) => Resource))).toEqual(named);
    expect(named.size).toBe(1);
  });

  it('allows creating and passing only roles that are named after the stacks', () => {
    const stated = policy.Statement.filter(({ Action }) => Action.some((action) => action.startsWith('iam:')));
    expect(stated.flatMap(({ Resource }) => Resource)).toEqual([
      'arn:*:iam::*:role/PaymentService-*',
      'arn:*:iam::*:role/PayoutOrchestrator-*',
    ]);
    const named = resources.filter(({ Type, Properties }) => Type === 'AWS::IAM::Role' && 'RoleName' in Properties);
    // CloudFormation starts the name of an unnamed role with the stack's name.
    expect(named).toEqual([]);
  });
});
