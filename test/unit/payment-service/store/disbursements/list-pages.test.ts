import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Disbursement } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import { cryptoStatuses } from '../../../../../functions/payment-service/domain/disbursements/disbursement.ts';
import type { DisbursementFilter } from '../../../../../functions/payment-service/domain/disbursements/disbursement-filter.ts';
import type { SortOrder } from '../../../../../functions/payment-service/domain/lists/page.ts';
import { indexValues } from '../../../../../functions/payment-service/store/disbursements/index-values.ts';
import { readDisbursementPage } from '../../../../../functions/payment-service/store/disbursements/read-disbursement-page.ts';
import { readWholeGroup } from '../../../../../functions/payment-service/store/disbursements/read-group.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import type { PostedGroup } from '../../../../support/payment-service/list-scene.ts';
import { ListScene } from '../../../../support/payment-service/list-scene.ts';
import { plainPage } from '../../../../support/payment-service/plain-list.ts';
import { uniqueWord } from '../../../../support/payment-service/unique-word.ts';

/** Requests of others come between those of a POST. */
const waits = { pause: () => nextTurn(), random: Math.random };

const table = new MemoryTable();

const sortOf = (sort: string): SortOrder => ({
  order: sort.endsWith('createdAt') ? 'created' : 'changed',
  descending: sort.startsWith('-'),
});

const listed = (scene: ListScene, filter: DisbursementFilter, page: number, limit: number, sort = 'createdAt') =>
  readDisbursementPage(scene.context, {
    rail: 'crypto',
    filter,
    sort: sortOf(sort),
    page: { page, limit },
  });

const ids = (all: readonly Disbursement[]): readonly string[] => all.map((one) => one.disbursementId);

const currencies = ['usdc-polygon', 'THB', 'SGD'] as const;

/** 130 groups of one and a few larger ones, in every status. They fill more than one block of entries. */
const groups: readonly PostedGroup[] = Array.from({ length: 140 }, (_, index) => ({
  rail: 'crypto',
  currency: currencies[index % 3] ?? '',
  settled: Array.from(
    { length: index % 14 === 3 ? 12 : 1 },
    (_unused, position) => cryptoStatuses[(index * 5 + position) % 7] ?? 'pending',
  ),
  amounts: 5,
}));

describe('lists of several hundred disbursements, mostly from POSTs of one', () => {
  let scene: ListScene;
  let all: readonly Disbursement[] = [];

  beforeAll(async () => {
    scene = new ListScene(table, 'merchant', waits);
    for (const group of groups) await scene.postAndSettle(group);
    all = (await listed(scene, {}, 1, 1000)).docs;
  });

  it('show all of them in order of creation', () => {
    expect(all).toHaveLength(groups.reduce((total, { settled }) => total + settled.length, 0));
    expect(all.map((one) => one.createdAt)).toEqual(all.map((one) => one.createdAt).toSorted());
  });

  it.each<[string, DisbursementFilter]>([
    ['nothing', {}],
    ['a status', { status: 'need_check' }],
    ['a status and a currency without members', { status: 'failed', currencies: ['PHP'] }],
    ['a currency', { currencies: ['SGD'] }],
    ['two currencies and a status', { currencies: ['SGD', 'THB'], status: 'completed' }],
    ['dates', { created: { from: '2026-01-01T00:01:00.000Z', to: '2026-01-01T00:04:00.000Z' } }],
    [
      'dates and a status',
      { created: { from: '2026-01-01T00:01:00.000Z', to: '2026-01-01T00:04:00.000Z' }, status: 'pending' },
    ],
    ['an amount', { amount: '3.00' }],
    ['an amount and a status', { amount: '3', status: 'failed' }],
    ['a wallet', { receiverAddress: `0x${'A'.repeat(39)}2` }],
    ['a wallet and a token', { receiverAddress: `0x${'a'.repeat(39)}2`, currencies: ['usdc-polygon'] }],
    ['a wallet and another amount', { receiverAddress: `0x${'a'.repeat(39)}2`, amount: '1' }],
  ])('filtered by %s equal the results of reading everything, in every sort and on every page', async (_, filter) => {
    for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt']) {
      for (const limit of [7, 100]) {
        for (const page of [1, 2, 5, 999_999_999]) {
          const { docs, total } = await listed(scene, filter, page, limit, sort);
          const shown = { total, ids: ids(docs) };
          expect(shown).toEqual(plainPage(all, filter, sortOf(sort), { page, limit }));
        }
      }
    }
  });

  it('filtered by a wallet in capitals show the same as in lower case', async () => {
    const of = (receiverAddress: string) => listed(scene, { receiverAddress }, 1, 10);
    const lower = await of(`0x${'a'.repeat(39)}2`);
    expect(lower.total).toBeGreaterThan(0);
    expect(await of(`0X${'A'.repeat(39)}2`)).toEqual(lower);
  });

  it('filtered by a transaction hash show its disbursement, once it is sent', async () => {
    const sent = all.find((one) => one.txHash !== undefined);
    const txHash = sent?.txHash ?? '';
    for (const written of [txHash, txHash.toUpperCase()]) {
      expect(ids((await listed(scene, { txHash: written }, 1, 10)).docs)).toEqual([sent?.disbursementId]);
    }
  });
});

it('pages in order of creation never shift, repeat or skip records during other POSTs', async () => {
  const scene = new ListScene(table, `merchant-${uniqueWord()}`, waits);
  const one: PostedGroup = { rail: 'crypto', currency: 'usdc-polygon', settled: ['pending'] };
  for (let made = 0; made < 5; made += 1) await scene.post(one);
  let posting = true;
  const posted: string[] = [];
  const posters = [1, 2, 3].map(async () => {
    while (posting) posted.push(...ids(await scene.post(one)));
  });
  const seen: string[] = [];
  for (let page = 1; page <= 15; ) {
    const { docs } = await listed(scene, {}, page, 4);
    if (docs.length < 4) continue;
    seen.push(...ids(docs));
    page += 1;
  }
  posting = false;
  await Promise.all(posters);
  const after = ids((await listed(scene, {}, 1, 1000)).docs);
  expect(seen).toEqual(after.slice(0, 60));
  expect(new Set(after).size).toBe(posted.length + 5);
});

it('every count is right after forty groups of one settle, ten concurrently', async () => {
  const scene = new ListScene(table, `merchant-${uniqueWord()}`, waits);
  const made: Disbursement[] = [];
  for (let index = 0; index < 40; index += 1) {
    made.push(...(await scene.post({ rail: 'crypto', currency: 'usdc-polygon', settled: ['failed'] })));
  }
  const open = made.map((one, index) => ({ groupId: one.groupId, failed: index % 4 === 0 }));
  const workers = Array.from({ length: 10 }, async () => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      await scene.settle(next.groupId, [next.failed ? 'failed' : 'completed']);
    }
  });
  await Promise.all(workers);
  for (const sort of ['createdAt', '-updatedAt']) {
    expect((await listed(scene, { status: 'failed' }, 1, 100, sort)).docs).toHaveLength(10);
    expect(await listed(scene, { status: 'completed' }, 3, 10, sort)).toMatchObject({
      total: 30,
      docs: { length: 10 },
    });
    expect((await listed(scene, { status: 'pending' }, 1, 100, sort)).total).toBe(0);
  }
  const times = (await listed(scene, {}, 1, 100, 'updatedAt')).docs.map((one) => one.updatedAt);
  expect(times).toEqual(times.toSorted());
});

const conflict = () =>
  new TransactionCanceledException({
    message: 'others were first',
    $metadata: {},
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });

it.each([
  ['fails', () => new Error('the table did not answer'), 3],
  ['conflicts every time', conflict, 6],
])('a POST whose indexing %s still succeeds, and the worker indexes it once', async (_, failure, most) => {
  const scene = new ListScene(table, `merchant-${uniqueWord()}`, waits);
  const client: DynamoDBDocumentClient = Object.create(table.client);
  let transactions = 0;
  client.send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    if (command.constructor.name === 'TransactWriteCommand') {
      transactions += 1;
      // The first two write the items and commit their group.
      if (transactions > 2) throw failure();
    }
    return await table.client.send(command);
  };
  const hindered = new ListScene({ client, name: table.name }, scene.context.accountId, waits);
  const group: PostedGroup = { rail: 'crypto', currency: 'usdc-polygon', settled: ['pending', 'pending', 'pending'] };
  expect(await hindered.post(group)).toHaveLength(3);
  expect(transactions).toBe(most);
  const { docs } = await listed(scene, {}, 1, 10);
  expect(docs).toHaveLength(3);
  expect((await listed(scene, { amount: '2' }, 1, 10)).docs).toEqual([]);
  const whole = await readWholeGroup(table, docs[0]?.groupId ?? '');
  if (whole === undefined) throw new Error('the group is not committed');
  for (let look = 0; look < 2; look += 1) {
    expect(await indexValues(scene.context, whole.group, whole.disbursements)).toBe(true);
    expect(await listed(scene, { amount: '2' }, 1, 10)).toEqual({ docs: [docs[1]], total: 1 });
  }
});
