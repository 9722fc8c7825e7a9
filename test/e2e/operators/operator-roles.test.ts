import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  IAMClient,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Operation } from '../../../functions/api/schemas/operations/operation.ts';
import { operations } from '../../../functions/api/schemas/operations/operations.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';

const access = readFileSync(new URL('../../../infra/ACCESS.md', import.meta.url), 'utf8');

/** The requests that the table of roles allows or denies a role, such as `POST/batches`. */
const resourcesOf = (role: string, column: 'may' | 'may not'): readonly string[] => {
  const row = access.split('\n').find((line) => line.startsWith(`| ${role} |`));
  const cell = row?.split(' | ')[column === 'may' ? 1 : 2] ?? '';
  return [...cell.matchAll(/`([A-Z]+\/[^`]+)`/g)].flatMap(([, resource]) => resource ?? []);
};

const roles = ['watches', 'runs batches', 'approves', 'settles', 'looks people up'] as const;
type Role = (typeof roles)[number];
const mayDownload = roles.filter((role) => role !== 'watches');

const nowhere = 'b-00000000000000000000000000';

/** Requests that change nothing, their status when they are allowed, and the roles that may send them. */
const requests: readonly (readonly [method: 'GET' | 'POST', path: string, status: number, by: readonly Role[]])[] = [
  ['GET', '/batches', 200, roles],
  ['GET', `/batches/${nowhere}`, 404, roles],
  ['GET', `/batches/${nowhere}/payouts`, 404, roles],
  ['GET', `/batches/${nowhere}/events`, 404, roles],
  ['GET', `/batches/${nowhere}/files/results.csv`, 404, mayDownload],
  ['GET', '/payouts/no-such-payout', 404, roles],
  ['GET', '/payouts/no-such-payout/proof', 404, mayDownload],
  ['GET', '/funds', 200, roles],
  ['GET', '/template.csv', 200, roles],
  ['GET', '/template.xlsx', 200, roles],
  ['POST', '/batches', 400, ['runs batches']],
  ['POST', `/batches/${nowhere}/pause`, 404, ['runs batches']],
  ['POST', `/batches/${nowhere}/resume`, 404, ['runs batches']],
  ['POST', `/batches/${nowhere}/cancel`, 404, ['runs batches']],
  ['POST', `/batches/${nowhere}/proofs`, 404, ['runs batches', 'looks people up']],
  ['POST', `/batches/${nowhere}/approve`, 400, ['approves']],
  ['POST', `/batches/${nowhere}/reject`, 400, ['approves']],
  ['POST', '/payouts/no-such-payout/settle', 400, ['settles']],
  ['POST', '/payouts/no-such-payout/recipient', 404, ['looks people up']],
  ['POST', '/search/payouts', 400, ['looks people up']],
  ['POST', `/batches/${nowhere}/conversions/1/settle`, 400, ['settles']],
];

it('every endpoint is requested by each role', () => {
  const isRequested = ({ method, path }: Operation): boolean => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`);
    return requests.some(([by, address]) => by.toLowerCase() === method && pattern.test(address));
  };
  expect(operations.filter((operation) => !isRequested(operation)).map(({ id }) => id)).toEqual([]);
});

describe('an operator with the rights of one role of infra/ACCESS.md', () => {
  const iam = new IAMClient();
  const users = new Map<Role, { readonly UserName: string; readonly AccessKeyId: string; readonly secret: string }>();

  beforeAll(async () => {
    const api = new URL(inject('localAws').outputs.PayoutOrchestrator.ApiUrl).pathname.split('/').slice(-2).join('/');
    for (const role of roles) {
      const UserName = `${role.replaceAll(' ', '-')}-${randomUUID()}`;
      await iam.send(new CreateUserCommand({ UserName }));
      const arnsOf = (column: 'may' | 'may not') =>
        resourcesOf(role, column).map((one) => `arn:aws:execute-api:us-east-1:*:${api}/${one}`);
      const Action = 'execute-api:Invoke';
      const denied = arnsOf('may not');
      const PolicyDocument = JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action, Resource: arnsOf('may') },
          ...(denied.length === 0 ? [] : [{ Effect: 'Deny', Action, Resource: denied }]),
        ],
      });
      await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'role', PolicyDocument }));
      const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
      users.set(role, {
        UserName,
        AccessKeyId: AccessKey?.AccessKeyId ?? '',
        secret: AccessKey?.SecretAccessKey ?? '',
      });
    }
  });

  afterAll(async () => {
    for (const { UserName, AccessKeyId } of users.values()) {
      await iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }));
      await iam.send(new DeleteUserPolicyCommand({ UserName, PolicyName: 'role' }));
      await iam.send(new DeleteUserCommand({ UserName }));
    }
  });

  it.each(roles)('with the role “%s” may do exactly that', async (role) => {
    const user = users.get(role);
    const client = new OperatorClient({
      apiUrl: inject('localAws').outputs.PayoutOrchestrator.ApiUrl,
      region: 'us-east-1',
      credentials: { accessKeyId: user?.AccessKeyId ?? '', secretAccessKey: user?.secret ?? '' },
    });
    const answered: unknown[] = [];
    for (const [method, path] of requests) {
      const { status } = await client.send({ method, path, ...(method === 'POST' ? { body: {} } : {}) });
      answered.push([method, path, status]);
    }
    expect(answered).toEqual(
      requests.map(([method, path, status, by]) => [method, path, by.includes(role) ? status : 403]),
    );
  });
});
