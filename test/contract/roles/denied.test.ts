import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { Attempt } from '../../support/roles/attempts.ts';
import { attempts, probeObjects } from '../../support/roles/attempts.ts';
import type { DeployedRole, RoleClients } from '../../support/roles/deployed-roles.ts';
import { clientsOf, deployedRoles } from '../../support/roles/deployed-roles.ts';
import { orchestratorRights, paymentServiceRights } from '../../support/roles/rights.ts';
import type { World } from '../../support/roles/world.ts';
import { readWorld } from '../../support/roles/world.ts';

/** An error that AWS returned. A broken connection is no answer. */
const refusal = z.object({ name: z.string() });

/** Names of refusals. SNS has its own. */
const refusals = ['AccessDenied', 'AccessDeniedException', 'AuthorizationError', 'AuthorizationErrorException'];

/** True when AWS allowed the request, even if it then fails for another reason, such as a missing item. */
const isAllowed = async (attempt: Attempt, ...args: Parameters<Attempt['make']>): Promise<boolean> => {
  try {
    await attempt.make(...args);
    return true;
  } catch (error) {
    const { name } = refusal.parse(error);
    if (['TypeError', 'TimeoutError', 'Error', 'ExpiredToken', 'InvalidClientTokenId'].includes(name)) throw error;
    return !refusals.includes(name);
  }
};

const both = [
  ...Object.keys(orchestratorRights).map((name) => ['PayoutOrchestrator', name] as const),
  ...Object.keys(paymentServiceRights).map((name) => ['PaymentService', name] as const),
];

describe('each function’s role, tested on everything', () => {
  let world: World;
  let roles: ReadonlyMap<string, DeployedRole | undefined>;
  const tried = { roles: 0, denied: 0, allowed: 0 };

  const roleOf = (stack: string, name: string): DeployedRole => {
    const role = [...roles.values()].find((one) => one?.stack === stack && one.name === name);
    if (role === undefined) throw new Error(`${name} is not deployed`);
    return role;
  };

  beforeAll(async () => {
    [world, roles] = await Promise.all([readWorld(), deployedRoles()]);
    for (const Key of probeObjects) {
      await new S3Client().send(new PutObjectCommand({ Bucket: world.files, Key, Body: 'to be read' }));
    }
  });

  afterAll(async () => {
    for (const Key of probeObjects) await new S3Client().send(new DeleteObjectCommand({ Bucket: world.files, Key }));
    console.error(`${tried.roles} roles: ${tried.denied} actions denied, ${tried.allowed} allowed as stated`);
  });

  it('is stated for every deployed function', () => {
    expect([...roles].filter(([, role]) => role === undefined)).toEqual([]);
    expect(roles.size).toBe(both.length);
    expect(new Set([...roles.values()].map((role) => role?.arn)).size).toBe(both.length);
  });

  it('has a test for every stated right', () => {
    const rights = new Set(attempts.map(({ right }) => right));
    const never = [...roles.values()].flatMap((role) => [...(role?.rights ?? [])].filter((one) => !rights.has(one)));
    expect(never).toEqual([]);
    expect(rights.size).toBe(attempts.length);
  });

  it.each(both)('%s %s may do its work and nothing else', async (stack, name) => {
    const role = roleOf(stack, name);
    const as: RoleClients = await clientsOf(role);
    const other = (one: string) => roleOf('PayoutOrchestrator', one);
    const outcomes = await Promise.all(
      attempts.map(async (attempt) => [attempt.right, await isAllowed(attempt, as, world, role, other)] as const),
    );
    const allowed = outcomes.flatMap(([right, letThrough]) => (letThrough ? [right] : []));
    expect(allowed.toSorted()).toEqual([...role.rights].toSorted());
    tried.roles += 1;
    tried.allowed += allowed.length;
    tried.denied += outcomes.length - allowed.length;
  });

  it.each([
    ['the list of files', 'GET', '?list-type=2'],
    ['a payout file', 'GET', `/${probeObjects[0]}`],
    ['a batch’s copy of it', 'GET', `/${probeObjects[4]}`],
    ['a new file', 'PUT', '/uploads/by-nobody'],
    ['a file’s deletion', 'DELETE', `/${probeObjects[0]}`],
  ])('refuses a caller without credentials: %s', async (_what, method, path) => {
    const { endpoint } = inject('localAws').aws;
    expect((await fetch(`${endpoint}/${world.files}${path}`, { method })).status).toBe(403);
  });

  it('is refused by far the most attempts', () => {
    expect(tried.roles).toBe(both.length);
    expect(tried.denied).toBeGreaterThan(tried.allowed * 5);
  });
});
