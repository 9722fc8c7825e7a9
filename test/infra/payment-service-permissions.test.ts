import { describe, expect, it } from 'vitest';
import { composed, permissionsByRole, resourcesOf } from '../support/synthesized.ts';

const resources = resourcesOf(composed(), 'PaymentService');
const roles = permissionsByRole(resources);
const functionCount = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function').length;

const read = ['BatchGetItem', 'GetItem', 'Query'];
const write = ['BatchWriteItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'];

/** Each function, all it may do with the table, with how many merchants' secrets, and with which queues. */
const functions: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
  ['BalanceAndConvert', [...read, ...write], 3, []],
  ['Disbursements', [...read, ...write, 'DeleteItem'], 3, ['SendMessage Due']],
  ['Deposits', [...read, ...write], 3, ['SendMessage Due']],
  ['TransferProofs', [...read, 'PutItem', 'UpdateItem'], 3, []],
  ['SandboxControls', [...read, 'UpdateItem'], 3, ['SendMessage Due']],
  ['CheckoutPage', ['GetItem', 'PutItem', 'UpdateItem'], 0, ['SendMessage Due']],
  ['SettleGroups', [...read, ...write, 'DeleteItem'], 0, ['SendMessage Due', 'take from Due']],
  ['AnnounceChanges', ['GetItem', 'UpdateItem'], 0, ['SendMessage Webhooks', 'SendMessage Undelivered']],
  ['DeliverWebhooks', ['GetItem', 'PutItem'], 3, ['SendMessage Undelivered', 'take from Webhooks']],
  ['RegisterWebhook', ['PutItem'], 0, []],
  ['ListWebhookDeliveries', ['Query'], 0, []],
];

function permissionsOf(name: string): readonly string[] {
  const [, found] = [...roles].find(([role]) => new RegExp(`^(?:[A-Z]\\w*?)?${name}Role[0-9A-F]{8}$`).test(role)) ?? [];
  return found ?? [];
}

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
    expect(readable.every((line) => line.includes('payment-service/merchants/'))).toBe(true);
  });

  it.each(functions)('%s uses the queues it needs', (name, _, __, queues) => {
    expect(queueUse(name)).toEqual(new Set(queues));
  });

  it.each(functions)('%s may touch anything at all for its traces alone', (name) => {
    const everywhere = permissionsOf(name).filter((line) => line.endsWith(' *'));
    expect(everywhere.filter((line) => !line.startsWith('xray:'))).toEqual([]);
    expect(permissionsOf(name).filter((line) => /^\S*\*\S* /.test(line))).toEqual([]);
  });
});
