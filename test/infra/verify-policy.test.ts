import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { composed, resourcesOf } from '../support/synthesized.ts';

const stage = 'throwaway-ab12cd34';
const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const policy = z
  .object({ Statement: z.array(z.object({ Action: texts, Resource: texts })) })
  .parse(JSON.parse(readFileSync(new URL('../../infra/verify/caller-policy.json', import.meta.url), 'utf8')));

const mayDo = (action: string, arn: string): boolean =>
  policy.Statement.some(
    ({ Action, Resource }) =>
      Action.includes(action) &&
      Resource.some((pattern) => new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`).test(arn)),
  );

/**
 * The name that CloudFormation generates. It shortens one that would be longer than `most` to 25 characters of the stack's name,
 * 24 of the logical id, and 12 of its own. AWS documents no rule: this one was found in names of public deployments.
 */
const generated = (stack: string, logicalId: string, most: number): string => {
  const [own, name] = ['ABCDEFGHIJKL', `${stack}-${logicalId}`];
  return name.length + 1 + own.length <= most
    ? `${name}-${own}`
    : `${stack.slice(0, 25)}-${logicalId.slice(0, 24)}-${own}`;
};

it.each([
  ['PayoutOrchestrator', 'AWS::S3::Bucket', 's3:DeleteObjectVersion', 63],
  ['PayoutOrchestrator', 'AWS::Lambda::Function', 'lambda:GetFunctionRecursionConfig', 64],
  ['PaymentService', 'AWS::Lambda::Function', 'lambda:GetFunctionRecursionConfig', 64],
  ['PaymentService', 'AWS::Lambda::Function', 'lambda:InvokeFunction', 64],
] as const)(
  'the rights to verify a stage reach every %s %s for %s, however its name is shortened',
  (stack, type, action, most) => {
    const found = resourcesOf(composed({ stage }), stack).filter(({ Type }) => Type === type);
    const arns = found.map(({ logicalId }) => {
      const name = generated(`${stack}-${stage}`, logicalId, most);
      return type === 'AWS::S3::Bucket'
        ? `arn:aws:s3:::${name.toLowerCase()}`
        : `arn:aws:lambda:us-east-1:1:function:${name}`;
    });
    expect(arns.length).toBeGreaterThan(0);
    expect(arns.filter((arn) => !mayDo(action, arn))).toEqual([]);
  },
);
