import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GroupDraft } from '../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { groupIdFrom } from '../../../functions/payment-service/domain/disbursements/disbursement-id.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';
import { readBalance } from '../../../functions/payment-service/store/balances.ts';
import { createGroup, createGroups } from '../../../functions/payment-service/store/disbursements/create-group.ts';
import { findByReference } from '../../../functions/payment-service/store/disbursements/find-disbursement.ts';
import { clearAway } from '../../../functions/payment-service/store/disbursements/groups.ts';
import { listDisbursements } from '../../../functions/payment-service/store/disbursements/list-disbursements.ts';
import type { CreateGroupPorts } from '../../../functions/payment-service/store/disbursements/new-groups.ts';
import { uniqueWord } from '../../support/payment-service/merchant.ts';
import { newDraft } from '../../support/payment-service/new-disbursement.ts';
import { dropServiceTable, makeServiceTable } from '../../support/payment-service/service-table.ts';

const name = `interrupted-groups-${uniqueWord()}`;
const plain = new DynamoDBClient();
const client = DynamoDBDocumentClient.from(plain, { marshallOptions: { removeUndefinedValues: true } });
const openingBalances = (_: string, currency: string): Money =>
  Money.of({ PHP: '1000', THB: '150' }[currency] ?? '0', currency);

beforeAll(async () => {
  await makeServiceTable(name);
});

afterAll(async () => {
  await dropServiceTable({ client, name });
});

const draft = (references: readonly string[], currency = 'PHP'): GroupDraft => ({
  rail: 'fiat',
  currency,
  items: references.map((reference) => newDraft({ reference }, currency)),
});

/** A client that dies at its nth write, as a function does when its time is up. */
const dyingAfter = (writes: number): DynamoDBDocumentClient => {
  let left = writes;
  const dying = DynamoDBDocumentClient.from(new DynamoDBClient(), { marshallOptions: { removeUndefinedValues: true } });
  dying.middlewareStack.add(
    (next, context) => async (request) => {
      if (/Write|Put/.test(context.commandName ?? '')) {
        if (left === 0) throw new Error('the function died');
        left -= 1;
      }
      return await next(request);
    },
    { step: 'initialize', name: 'death' },
  );
  return dying;
};

const ports = (accountId: string, change: Partial<CreateGroupPorts> = {}) => {
  const groupId = groupIdFrom(`${uniqueWord()}${uniqueWord()}`);
  const made: CreateGroupPorts = {
    table: { client, name },
    openingBalances,
    reusableCryptoReferences: false,
    now: () => new Date('2026-11-21T06:00:00.000Z'),
    pause: async () => undefined,
    random: () => 0,
    newGroupId: () => groupId,
    scheduleSettlement: async () => undefined,
    ...change,
  };
  return { made, groupId, accountId };
};

const seen = async (accountId: string) => {
  const table = { client, name };
  const { total } = await listDisbursements(
    { table, pause: async () => undefined, random: () => 0, reusableCryptoReferences: false },
    {
      accountId,
      rail: 'fiat',
      filter: {},
      sort: { field: 'createdAt', descending: false },
      page: { page: 1, limit: 10 },
    },
  );
  const [a, balance] = await Promise.all([
    findByReference(table, accountId, 'a'),
    readBalance(table, openingBalances, accountId, 'PHP'),
  ]);
  return { total, found: a !== undefined, balance: balance.amount.amount };
};

it.each([
  ['before it wrote anything', 0],
  ['when its items were written', 1],
  ['when its references were reserved', 2],
])('a POST that dies %s leaves nothing to be seen, and nothing at all once it is cleared away', async (_, writes) => {
  const { made, groupId, accountId } = ports(`account-${uniqueWord()}`);
  const dying = createGroup({ ...made, table: { client: dyingAfter(writes), name } }, accountId, draft(['a', 'b']));
  await expect(dying).rejects.toThrow('the function died');
  expect(await seen(accountId)).toEqual({ total: 0, found: false, balance: '1000' });

  await clearAway(made, { client, name }, accountId, groupId);
  const left = await plain.send(
    new ScanCommand({
      TableName: name,
      FilterExpression: 'begins_with(pk, :reference) OR begins_with(pk, :group)',
      ExpressionAttributeValues: { ':reference': { S: `REFERENCE#${accountId}` }, ':group': { S: `GROUP#${groupId}` } },
    }),
  );
  expect(left.Items).toMatchObject([{ state: { S: 'abandoned' } }]);

  const again = ports(accountId);
  expect((await createGroup(again.made, accountId, draft(['a', 'b']))).kind).toBe('created');
  expect(await seen(accountId)).toEqual({ total: 2, found: true, balance: '780' });
});

it('until then its references are neither used nor free', async () => {
  const { made, accountId } = ports(`account-${uniqueWord()}`);
  const dying = createGroup({ ...made, table: { client: dyingAfter(2), name } }, accountId, draft(['a']));
  await expect(dying).rejects.toThrow();
  const again = await createGroup(ports(accountId).made, accountId, draft(['b', 'a']));
  expect(again).toEqual({ kind: 'reference_in_progress', reference: 'a' });
});

it('a POST that was given up can never be committed', async () => {
  const { made, groupId, accountId } = ports(`account-${uniqueWord()}`);
  const slow = createGroup(
    {
      ...made,
      // The janitor comes while the POST is still under way.
      scheduleSettlement: () => clearAway(made, { client, name }, accountId, groupId),
    },
    accountId,
    draft(['a']),
  );
  expect(await slow).toEqual({ kind: 'busy' });
  expect(await seen(accountId)).toEqual({ total: 0, found: false, balance: '1000' });
});

it('more at once than the balance holds: as many as it holds, and never below zero', async () => {
  const accountId = `account-${uniqueWord()}`;
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => createGroup(ports(accountId).made, accountId, draft([`p${index}`]))),
  );
  const kinds = Map.groupBy(outcomes, (one) => one.kind);
  expect(kinds.get('created')).toHaveLength(9);
  expect(kinds.get('insufficient_balance')).toHaveLength(11);
  expect(await seen(accountId)).toMatchObject({ total: 9, balance: '10' });
});

describe('a POST in two currencies', () => {
  const drafts = [draft(['a'], 'PHP'), draft(['b'], 'THB')] as const;
  const nothing = { total: 0, found: false, balance: '1000' };
  const twoGroups = (change: Partial<CreateGroupPorts> = {}) => {
    const ids = [1, 2].map(() => groupIdFrom(`${uniqueWord()}${uniqueWord()}`));
    const left = [...ids];
    const { made, accountId } = ports(`account-${uniqueWord()}`, {
      newGroupId: () => left.shift() ?? 'none',
      ...change,
    });
    return { made, accountId, ids };
  };

  it.each([0, 1, 2])('that dies at its write %i leaves nothing in either', async (writes) => {
    const { made, accountId, ids } = twoGroups();
    const dying = createGroups({ ...made, table: { client: dyingAfter(writes), name } }, accountId, drafts);
    await expect(dying).rejects.toThrow('the function died');
    expect(await seen(accountId)).toEqual(nothing);
    for (const id of ids) await clearAway(made, { client, name }, accountId, id);
    expect((await createGroups(twoGroups().made, accountId, drafts)).kind).toBe('created');
    expect(await seen(accountId)).toEqual({ total: 2, found: true, balance: '890' });
  });

  it('makes neither when the second balance is spent meanwhile, and frees its references', async () => {
    const other = ports('');
    const { made, accountId } = twoGroups({
      scheduleSettlement: async () => {
        await createGroup(other.made, accountId, draft(['c'], 'THB'));
      },
    });
    expect(await createGroups(made, accountId, drafts)).toEqual({ kind: 'insufficient_balance' });
    expect(await seen(accountId)).toEqual({ ...nothing, total: 1 });
    expect((await createGroup(ports('').made, accountId, draft(['a', 'b']))).kind).toBe('created');
  });

  it('makes neither when one of them was given up', async () => {
    const { made, accountId, ids } = twoGroups();
    const slow = createGroups(
      { ...made, scheduleSettlement: () => clearAway(made, { client, name }, accountId, ids[1] ?? '') },
      accountId,
      drafts,
    );
    expect(await slow).toEqual({ kind: 'busy' });
    expect(await seen(accountId)).toEqual(nothing);
  });
});
