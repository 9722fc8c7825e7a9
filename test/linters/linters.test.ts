import { beforeAll, describe, expect, it } from 'vitest';
import { composed } from '../support/synthesized.ts';
import { exceptions } from './exceptions.ts';
import { policiesOf } from './policies.ts';
import type { Finding } from './run-linters.ts';
import { lintPolicies, lintTemplate } from './run-linters.ts';

/** The stacks as deployed by default, and with the network that `staticAddresses` adds. Equal templates are linted once. */
const stacks = [
  ...new Map(
    [{}, { provider: { kind: 'sandbox', staticAddresses: 3 } }]
      .flatMap((settings) => composed(settings).synth().stacks)
      .map((stack) => [JSON.stringify(stack.template), stack]),
  ).values(),
];
const found: Finding[] = [];

const explains = (exception: (typeof exceptions)[number], { linter, rule, text }: Finding): boolean =>
  exception.linter === linter && exception.rule === rule && exception.where.test(text);

beforeAll(async () => {
  for (const stack of stacks) {
    const [ofTemplate, ofPolicies] = await Promise.all([lintTemplate(stack), lintPolicies(stack.template)]);
    found.push(...ofTemplate, ...ofPolicies);
  }
});

describe('the templates of both stacks, with a network and without', () => {
  it('have no findings without an explanation', () => {
    expect(found.filter((finding) => !exceptions.some((exception) => explains(exception, finding)))).toEqual([]);
  });

  it.each(exceptions)('still have the finding explained by: $why', (exception) => {
    expect(found.some((finding) => explains(exception, finding))).toBe(true);
  });

  it('have policies to check', () => {
    for (const stack of stacks) expect(policiesOf(stack.template).size).toBeGreaterThan(9);
  });
});

describe('a policy', () => {
  const withAction = (Action: string, Resource: unknown) => ({
    Resources: {
      Table: { Type: 'AWS::DynamoDB::GlobalTable' },
      Policy: {
        Type: 'AWS::IAM::Policy',
        Properties: { PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] } },
      },
    },
  });
  const table = { 'Fn::GetAtt': ['Table', 'Arn'] };

  it.each([
    ['an action that does not exist', 'dynamodb:FetchItem', table, 'UNKNOWN_ACTION'],
    ['a resource that does not fit the action', 'dynamodb:GetItem', 'arn:aws:s3:::b', 'RESOURCE_MISMATCH'],
  ])('with %s is reported', async (_, action, resource, rule) => {
    expect((await lintPolicies(withAction(action, resource))).map((finding) => finding.rule)).toEqual([rule]);
  });

  it('with an unknown CloudFormation function or attribute is refused', () => {
    expect(() => policiesOf(withAction('dynamodb:GetItem', { 'Fn::Sub': 'x' }))).toThrow('Fn::Sub');
    expect(() => policiesOf(withAction('dynamodb:GetItem', { Ref: 'Nothing' }))).toThrow('Nothing');
  });
});
