import { describe, expect, it } from 'vitest';
import { paymentServiceFunctions } from '../support/roles/rights.ts';
import {
  allowedEverywhere,
  composed,
  neededEverywhere,
  permissionsByRole,
  resourcesOf,
} from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PaymentService');
const roles = permissionsByRole(resources);
const functionCount = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').length;

const functions = paymentServiceFunctions;

const permissionsOf = (name: string): readonly string[] => {
  const [, found] = [...roles].find(([role]) => new RegExp(`^(?:[A-Z]\\w*?)?${name}Role[0-9A-F]{8}$`).test(role)) ?? [];
  return found ?? [];
};

const tableActions = (name: string) => [
  ...new Set(permissionsOf(name).flatMap((line) => /^dynamodb:(\w+) <ServiceTable\w+\.Arn>$/.exec(line)?.[1] ?? [])),
];

/** Which queue a line is about, without what the CDK puts before and after its name. */
const queueOf = (line: string): string =>
  / <(?:Settlement|(?=Webhooks[0-9A-F]{8})|Webhooks)(\w+?)[0-9A-F]{8}\.Arn>$/.exec(line)?.[1] ?? line;

const queueUse = (name: string) => {
  const lines = permissionsOf(name).filter((line) => line.startsWith('sqs:'));
  const taking = lines.filter((line) => /^sqs:(ReceiveMessage|DeleteMessage|ChangeMessageVisibility)/.test(line));
  return new Set([
    ...lines.filter((line) => line.startsWith('sqs:SendMessage')).map((line) => `SendMessage ${queueOf(line)}`),
    ...taking.map((line) => `take from ${queueOf(line)}`),
  ]);
};

describe('who may do what in the payment service', () => {
  it('is said here for every function there is', () => {
    expect(functions).toHaveLength(functionCount);
  });

  it.each(functions)('%s may do with the table what it does, and no more', (name, actions) => {
    expect(tableActions(name).toSorted()).toEqual([...new Set(actions)].toSorted());
  });

  it.each(functions)('%s reads the secrets it compares or signs with, and no other', (name, _, secrets) => {
    const readable = permissionsOf(name).filter((line) => line.startsWith('secretsmanager:'));
    expect(readable).toHaveLength(secrets);
    expect(readable.every((line) => line.includes('payment-service/merchants/production/'))).toBe(true);
  });

  it.each(functions)('%s uses the queues it needs', (name, _, __, queues) => {
    expect(queueUse(name)).toEqual(new Set(queues));
  });

  it.each(functions)(
    '%s may touch anything at all for its traces alone, or to list streams when it reads one',
    (name) => {
      const permissions = permissionsOf(name);
      expect(allowedEverywhere(permissions)).toEqual(neededEverywhere(permissions));
      expect(permissionsOf(name).filter((line) => /^\S*\*\S* /.test(line))).toEqual([]);
    },
  );
});
