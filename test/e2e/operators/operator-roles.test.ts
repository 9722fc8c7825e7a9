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
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import type { Role } from '../../support/roles/operator-requests.ts';
import { requests, roles } from '../../support/roles/operator-requests.ts';

const access = readFileSync(new URL('../../../infra/ACCESS.md', import.meta.url), 'utf8');

/** The requests that the table of roles allows or denies a role, such as `POST/batches`. */
const resourcesOf = (role: string, column: 'may' | 'may not'): readonly string[] => {
  const row = access.split('\n').find((line) => line.startsWith(`| ${role} |`));
  const cell = row?.split(' | ')[column === 'may' ? 1 : 2] ?? '';
  return [...cell.matchAll(/`([A-Z]+\/[^`]+)`/g)].flatMap(([, resource]) => resource ?? []);
};

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
