import * as z from 'zod';
import type { Resource } from '../synthesized.ts';
import { readable } from '../synthesized.ts';
import type { Rights } from './rights.ts';

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const condition = z.record(z.string(), z.record(z.string(), z.unknown()));
const policy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Effect: z.enum(['Allow', 'Deny']),
        Action: oneOrMore,
        Resource: z.unknown(),
        Condition: condition.default({}),
      }),
    ),
  }),
  Roles: z.array(z.object({ Ref: z.string() })).default([]),
});
const role = z.object({ Description: z.string().default('') });

/** The text without the CDK's additions to names, and without partition, region and account. */
const plain = (text: string): string =>
  text.replaceAll(/[0-9A-F]{8}(?=[.>])/g, '').replaceAll(/arn:aws:(\w+):us-east-1:<AWS::AccountId>:/g, 'arn:$1:');

/** A function's name, taken from its role's description. Other roles have their logical ids. */
const nameOf = (logicalId: string, properties: unknown): string =>
  /^What (\w+) of \S+ may do$/.exec(role.parse(properties).Description)?.[1] ?? logicalId.replace(/[0-9A-F]{8}$/, '');

const conditionText = (conditions: z.infer<typeof condition>): string =>
  Object.entries(conditions)
    .flatMap(([operator, keys]) => Object.entries(keys).map(([key, value]) => `${operator} ${key} ${readable(value)}`))
    .join(' and ');

type Statement = z.infer<typeof policy>['PolicyDocument']['Statement'][number];

/** A line for each action and resource. The log group of the function itself loses the names of its constructs. */
const linesOf = (name: string, { Effect, Action, Resource, Condition }: Statement): readonly string[] => {
  const conditions = conditionText(Condition);
  const ownLog = new RegExp(`<\\w*?(${name}Logs\\.Arn)>$`);
  const targets = (Array.isArray(Resource) ? Resource : [Resource]).map((one) =>
    plain(readable(one)).replace(ownLog, '<$1>'),
  );
  return Action.flatMap((action) => targets.map((target) => `${action} ${target}`))
    .map((line) => (conditions === '' ? line : plain(`${line} if ${conditions}`)))
    .map((line) => (Effect === 'Deny' ? `not ${line}` : line));
};

/**
 * The permissions of each role in a template: `dynamodb:GetItem <Table.Arn>`, with ` if …` for a condition, and `not ` before a
 * denial. A function's role has the function's name, and its log group is `<PlanBatchLogs.Arn>`.
 */
export const grantedLines = (resources: readonly Resource[]): Rights => {
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const names = new Map(
    ofType('AWS::IAM::Role').map(({ logicalId, Properties }) => [logicalId, nameOf(logicalId, Properties)]),
  );
  const granted = ofType('AWS::IAM::Policy').flatMap(({ Properties }) => {
    const { PolicyDocument, Roles } = policy.parse(Properties);
    return Roles.flatMap(({ Ref }) => {
      const name = names.get(Ref) ?? Ref;
      return PolicyDocument.Statement.flatMap((statement) => linesOf(name, statement)).map((line) => ({ name, line }));
    });
  });
  return Object.fromEntries(
    [...Map.groupBy(granted, ({ name }) => name)].map(([name, some]) => [
      name,
      [...new Set(some.map(({ line }) => line))].toSorted(),
    ]),
  );
};
