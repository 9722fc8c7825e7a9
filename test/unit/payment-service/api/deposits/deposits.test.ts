import { describe, expect, it } from 'vitest';
import { getDeposit } from '../../../../../functions/payment-service/api/deposits/get-deposit.ts';
import { getFiatDeposit } from '../../../../../functions/payment-service/api/deposits/get-fiat-deposit.ts';
import { listDeposits } from '../../../../../functions/payment-service/api/deposits/list-deposits.ts';
import { listFiatDeposits } from '../../../../../functions/payment-service/api/deposits/list-fiat-deposits.ts';
import { updateDepositStatus } from '../../../../../functions/payment-service/api/deposits/update-deposit-status.ts';
import { unsteered } from '../../../../../functions/payment-service/domain/sandbox/sandbox.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { paymentServiceSettings } from '../../../../../functions/payment-service/settings.ts';
import type { DepositList } from '../../../../../functions/payment-service/store/deposits/list-deposits.ts';
import { newAccount } from '../../../../support/payment-service/new-account.ts';
import { newCryptoDeposit, newDeposit } from '../../../../support/payment-service/new-deposit.ts';

const lastMoment = '2026-10-12T23:59:59.999Z';
const removed = '2026-10-13T00:00:00.000Z';

const ask = (
  method: 'GET' | 'PATCH',
  path: string,
  change: { readonly now?: string; readonly sandbox?: boolean } = {},
) => {
  const [address = '', query = ''] = path.split('?');
  const asked: DepositList[] = [];
  const now = () => new Date(change.now ?? lastMoment);
  const ports = {
    settings: paymentServiceSettings.parse({ sandbox: change.sandbox ?? true }),
    now,
    listDeposits: async (list: DepositList) => {
      asked.push(list);
      return { docs: [newDeposit(), newCryptoDeposit()], total: 2 };
    },
    findDeposit: async () => newDeposit(),
    setDepositStatus: async () => ({ kind: 'moved', deposit: newDeposit({ status: 'completed' }) }) as const,
  };
  const gate = {
    authenticate: async () => ({ account: newAccount(), sandbox: unsteered }),
    maximumBodyBytes: 100,
    now,
    portsFor: () => ports,
  };
  const endpoints = [listDeposits, getDeposit, listFiatDeposits, getFiatDeposit, updateDepositStatus];
  const answer = route<typeof ports>(
    gate,
    endpoints,
  )({
    requestId: 'r',
    method,
    path: address,
    query: [...new URLSearchParams(query)],
    headers: new Map(),
    body: Buffer.from('{"status":"completed"}'),
  });
  return { answer, asked };
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
    expect(await ask('GET', path, { now }).answer).toMatchObject({ statusCode, body: { statusCode } });
  });

  it('announce their end while they answer', async () => {
    const { headers } = await ask('GET', '/v1/deposit').answer;
    expect(headers).toEqual({ deprecation: '@1767225600', sunset: 'Tue, 13 Oct 2026 00:00:00 GMT' });
  });

  it('name what to call instead once they are gone', async () => {
    expect(await ask('GET', '/v1/deposit', { now: removed }).answer).toMatchObject({
      body: {
        message: 'GET /v1/deposit was removed on 2026-10-13, use GET /v1/deposit/fiat and GET /v1/deposit/crypto',
      },
    });
  });
});

describe('what a list is asked for', () => {
  const sort = { field: 'createdAt', descending: false };
  const page = { page: 1, limit: 10 };
  it.each([
    ['/v1/deposit', { depositType: undefined, status: undefined, sort, page }],
    [
      '/v1/deposit?depositType=crypto&status=completed&sort=-updatedAt&limit=100&page=3',
      {
        depositType: 'crypto',
        status: 'completed',
        sort: { field: 'updatedAt', descending: true },
        page: { page: 3, limit: 100 },
      },
    ],
    ['/v1/deposit/fiat', { depositType: 'fiat', status: undefined, sort: { ...sort, descending: true }, page }],
  ])('by %s', async (path, list) => {
    const { answer, asked } = ask('GET', path);
    expect(await answer).toMatchObject({ statusCode: 200 });
    expect(asked).toEqual([{ accountId: 'merchant', ...list }]);
  });

  it('of bulks is nothing: there are none', async () => {
    const { answer, asked } = ask('GET', '/v1/deposit/fiat?depositBulkId=b1');
    expect(await answer).toMatchObject({ body: { data: { docs: [], totalDocs: 0 } } });
    expect(asked).toEqual([]);
  });
});

describe('the sandbox update', () => {
  it('answers the updated record with its rate', async () => {
    expect(await ask('PATCH', '/v1/deposit/dep_0').answer).toMatchObject({
      statusCode: 200,
      body: { message: 'Deposit updated', data: { status: 'completed' } },
    });
  });

  it('is not there outside a sandbox', async () => {
    expect(await ask('PATCH', '/v1/deposit/dep_0', { sandbox: false }).answer).toMatchObject({ statusCode: 404 });
  });
});
