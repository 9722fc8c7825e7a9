import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Accepts one finding of cdk-nag on one construct, for a reason that a reviewer can judge. */
export const acknowledge = (on: IConstruct, id: string, reason: string): void => {
  Validations.of(on).acknowledge({ id, reason });
};

/** Accepts one resource with a wildcard in a policy. */
export const acknowledgeWildcard = (on: IConstruct, resource: string, reason: string): void => {
  acknowledge(on, `AwsSolutions-IAM5[Resource::${spelled(Stack.of(on).resolve(resource))}]`, reason);
};

/** A resource in cdk-nag's spelling: `<LogicalId.Attribute>` stands for what CloudFormation fills in. */
const spelled = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const [[name, argument] = ['', undefined]] = Object.entries(value);
  const parts: unknown[] = Array.isArray(argument) ? argument : [argument];
  if (name === 'Ref') return `<${parts.join('')}>`;
  if (name === 'Fn::GetAtt') return `<${parts.join('.')}>`;
  const joined: unknown = parts[1];
  return name === 'Fn::Join' && Array.isArray(joined) ? joined.map(spelled).join('') : JSON.stringify(value);
};
