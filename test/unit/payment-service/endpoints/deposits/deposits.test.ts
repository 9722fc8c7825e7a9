import { describe, expect, it } from 'vitest';
import { getDeposit } from '../../../../../functions/payment-service/endpoints/deposits/get-deposit.ts';
import { getFiatDeposit } from '../../../../../functions/payment-service/endpoints/deposits/get-fiat-deposit.ts';
import { listDeposits } from '../../../../../functions/payment-service/endpoints/deposits/list-deposits.ts';
import { listFiatDeposits } from '../../../../../functions/payment-service/endpoints/deposits/list-fiat-deposits.ts';
import { updateDepositStatus } from '../../../../../functions/payment-service/endpoints/deposits/update-deposit-status.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { setDepositStatus } from '../../../../../functions/payment-service/store/deposits/change-deposit.ts';
import { createDeposit } from '../../../../../functions/payment-service/store/deposits/create-deposit.ts';
import { newCryptoDeposit, newDeposit } from '../../../../support/payment-service/deposits/new-deposit.ts';
import { newContext, newGate, newSettings } from '../../../../support/payment-service/new-context.ts';

const lastMoment = '2026-10-12T23:59:59.999Z';
const removed = '2026-10-13T00:00:00.000Z';

const endpoints = [listDeposits, getDeposit, listFiatDeposits, getFiatDeposit, updateDepositStatus];

/** Asks an account with four deposits: fiat, crypto, completed crypto, fiat. */
const ask = async (
  method: 'GET' | 'PATCH',
  path: string,
  change: { readonly now?: string; readonly sandbox?: boolean } = {},
) => {
  const now = () => new Date(change.now ?? lastMoment);
  const context = newContext({ now, realNow: now, settings: newSettings({ sandbox: change.sandbox ?? true }) });
  const expiresAt = () => new Date('2027-01-01T00:00:00.000Z');
  await createDeposit(context, newDeposit(), { depositId: 'dep_0', expiresAt });
  await createDeposit(context, newCryptoDeposit(), { depositId: 'dep_1', expiresAt });
  await createDeposit(context, newCryptoDeposit(), { depositId: 'dep_2', expiresAt });
  await createDeposit(context, newDeposit(), { depositId: 'dep_3', expiresAt });
  await setDepositStatus(context, 'dep_2', 'completed');
  const [address = '', query = ''] = path.split('?');
  return await route(
    newGate(context),
    endpoints,
  )({
    requestId: 'r',
    method,
    path: address,
    query: [...new URLSearchParams(query)],
    headers: new Map(),
    body: Buffer.from('{"status":"completed"}'),
  });
};

describe('the deprecated reads of deposits', () => {
  it.each([
    ['/v1/deposit', lastMoment, 200],
    ['/v1/deposit', removed, 410],
    ['/v1/deposit/dep_0', lastMoment, 200],
    ['/v1/deposit/dep_0', removed, 410],
    ['/v1/deposit/fiat', removed, 200],
    ['/v1/deposit/fiat/dep_0', removed, 200],
  ])('GET %s at %s answers %s', async (path, now, statusCode) => {
    expect(await ask('GET', path, { now })).toMatchObject({ statusCode, body: { statusCode } });
  });

  it('announce their end in their answers', async () => {
    const { headers } = await ask('GET', '/v1/deposit');
    expect(headers).toEqual({ deprecation: '@1767225600', sunset: 'Tue, 13 Oct 2026 00:00:00 GMT' });
  });

  it('name their replacement once they are removed', async () => {
    expect(await ask('GET', '/v1/deposit', { now: removed })).toMatchObject({
      body: {
        message: 'GET /v1/deposit was removed on 2026-10-13, use GET /v1/deposit/fiat and GET /v1/deposit/crypto',
      },
    });
  });
});

describe('a list', () => {
  it.each([
    ['/v1/deposit', ['dep_0', 'dep_1', 'dep_2', 'dep_3'], 4, 10],
    ['/v1/deposit?depositType=crypto&sort=-createdAt&limit=1&page=2', ['dep_1'], 2, 1],
    ['/v1/deposit?status=completed&sort=-updatedAt&limit=100', ['dep_2'], 1, 100],
    ['/v1/deposit?sort=-updatedAt', ['dep_2', 'dep_3', 'dep_1', 'dep_0'], 4, 10],
    ['/v1/deposit/fiat', ['dep_3', 'dep_0'], 2, 10],
    // No endpoint makes bulks.
    ['/v1/deposit/fiat?depositBulkId=b1', [], 0, 10],
  ])('by %s shows %j', async (path, ids, totalDocs, limit) => {
    const docs = ids.map((depositId) => expect.objectContaining({ depositId }));
    expect(await ask('GET', path)).toMatchObject({ statusCode: 200, body: { data: { docs, totalDocs, limit } } });
  });
});

describe('the sandbox update', () => {
  it('answers with the updated record', async () => {
    expect(await ask('PATCH', '/v1/deposit/dep_0')).toMatchObject({
      statusCode: 200,
      body: { message: 'Deposit updated', data: { status: 'completed' } },
    });
  });

  it('does not exist outside a sandbox', async () => {
    expect(await ask('PATCH', '/v1/deposit/dep_0', { sandbox: false })).toMatchObject({ statusCode: 404 });
  });
});
