import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { createTransport } from '../../../functions/provider/transport/transport.ts';
import { minute } from '../../support/durations.ts';
import type { WholeClient } from '../../support/service-client/whole-client.ts';
import { createWholeClient } from '../../support/service-client/whole-client.ts';
import type { LoopbackService } from './loopback-service.ts';
import { answerText, credentials, enveloped, startService } from './loopback-service.ts';

type Ask = (client: WholeClient) => Promise<unknown>;

/** Each endpoint of the document with the credentials that its table lists. */
const endpoints: [requestLine: string, auth: 'signed' | 'authorization' | 'none', ask: Ask, body?: string][] = [
  ['GET /v1/balance', 'authorization', (client) => client.balance.read()],
  [
    'GET /v1/convert/estimate?inputAmount=1.50&inputCurrency=a-b&outputCurrency=IDR',
    'signed',
    (client) => client.convert.estimate({ inputCurrency: 'a-b', inputAmount: '1.50', outputCurrency: 'IDR' }),
  ],
  [
    'POST /v1/convert',
    'authorization',
    (client) => client.convert.execute({ input: { currency: 'a-b' }, output: { currency: 'IDR', amount: '1.50' } }),
    '{"input":{"currency":"a-b"},"output":{"currency":"IDR","amount":1.50}}',
  ],
  ['GET /v1/reference/currencies', 'none', (client) => client.references.currencies()],
  [
    'GET /v1/reference/cryptos?blockchainType=evm&useSmartContract=true',
    'none',
    (client) => client.references.cryptos({ useSmartContract: true, blockchainType: 'evm' }),
  ],
  [
    'POST /v1/checkout',
    'signed',
    (client) => client.checkout.create({ inputCurrency: 'IDR', outputAmount: '15000' }),
    '{"inputCurrency":"IDR","outputAmount":15000}',
  ],
  [
    'GET /v1/deposit/fiat?depositBulkId=b&limit=5&page=2&sort=-createdAt&status=pending',
    'signed',
    (client) =>
      client.deposits.listFiat({ page: 2, limit: 5, sort: '-createdAt', status: 'pending', depositBulkId: 'b' }),
  ],
  ['GET /v1/deposit/fiat/x', 'signed', (client) => client.deposits.findFiat('x')],
  ['GET /v1/deposit/crypto?page=1', 'signed', (client) => client.deposits.listCrypto({ page: 1 })],
  ['GET /v1/deposit/crypto/x', 'signed', (client) => client.deposits.findCrypto('x')],
  ['GET /v1/deposit?depositType=crypto', 'signed', (client) => client.deposits.listAny({ depositType: 'crypto' })],
  ['GET /v1/deposit/x', 'signed', (client) => client.deposits.findAny('x')],
  [
    'POST /v1/deposit/fiat',
    'authorization',
    (client) =>
      client.deposits.createFiat({
        inputCurrency: 'IDR',
        outputCurrency: 'a-b',
        outputAmount: { crypto: '0.000000000000000001' },
        balanceType: 'fiat',
        paymentMethod: 'BCA',
      }),
    '{"inputCurrency":"IDR","outputCurrency":"a-b","outputAmount":{"crypto":0.000000000000000001},"balanceType":"fiat","paymentMethod":"BCA"}',
  ],
  [
    'POST /v1/deposit/crypto',
    'authorization',
    (client) => client.deposits.createCrypto({ inputCurrency: 'a-b', inputAmount: '2', reference: 'r' }),
    '{"inputCurrency":"a-b","inputAmount":2,"reference":"r"}',
  ],
  ['PATCH /v1/deposit/x/cancel', 'authorization', (client) => client.deposits.cancel('x'), ''],
  [
    'PATCH /v1/deposit/x',
    'authorization',
    (client) => client.sandbox.updateDeposit('x', { status: 'completed' }),
    '{"status":"completed"}',
  ],
  [
    'GET /v1/deposit/payment-method?currency=IDR',
    'authorization',
    (client) => client.deposits.paymentMethods({ currency: 'IDR' }),
  ],
  [
    'GET /v1/disbursement/fiat?currency=IDR&disbursementId=d&status=failed',
    'signed',
    (client) => client.fiatDisbursements.list({ currency: 'IDR', disbursementId: 'd', status: 'failed' }),
  ],
  ['GET /v1/disbursement/fiat/x', 'signed', (client) => client.fiatDisbursements.find('x')],
  [
    'POST /v1/disbursement/fiat',
    'authorization',
    (client) =>
      client.fiatDisbursements.createV1({ disburseData: [{ currency: 'IDR', recipientId: 'r', amount: '1.0' }] }),
    '{"disburseData":[{"currency":"IDR","recipientId":"r","amount":1.0}]}',
  ],
  ['POST /v2/disbursement/fiat', 'authorization', (client) => client.fiatDisbursements.create('{"a":1}'), '{"a":1}'],
  [
    'GET /v1/disbursement/fiat/payment-method',
    'authorization',
    (client) => client.fiatDisbursements.paymentMethods({}),
  ],
  ['GET /v1/disbursement/fiat/x/report', 'signed', (client) => client.fiatDisbursements.proof('x')],
  [
    'GET /v1/disbursement/crypto?amount=1.5&endDate=b&reference=r&startDate=a&token=t',
    'signed',
    (client) =>
      client.cryptoDisbursements.list({ amount: '1.5', startDate: 'a', endDate: 'b', token: 't', reference: 'r' }),
  ],
  ['GET /v1/disbursement/crypto/x', 'signed', (client) => client.cryptoDisbursements.find('x')],
  ['POST /v1/disbursement/crypto', 'authorization', (client) => client.cryptoDisbursements.create('{}'), '{}'],
  [
    'GET /v1/disbursement/crypto/payment-method',
    'authorization',
    (client) => client.cryptoDisbursements.paymentMethods(),
  ],
  [
    'GET /v1/disbursement/crypto/estimate?amount=0.1&token=t',
    'signed',
    (client) => client.cryptoDisbursements.estimate({ token: 't', amount: '0.1' }),
  ],
  [
    'PATCH /v1/disbursement/x',
    'authorization',
    (client) => client.sandbox.updateDisbursement('x', { status: 'failed' }),
    '{"status":"failed"}',
  ],
];

const deposit = `{"depositId":"x","depositType":"fiat","inputCurrency":"IDR","inputAmount":1e4,"status":"pending",
  "fee":{"amount":1,"percentage":0,"currency":"IDR"},"paymentFiat":{"qrData":"q"},"paymentCrypto":{},"exchangeInfo":"odd"}`;

let service: LoopbackService;
let answer = enveloped('{}');
beforeAll(async () => {
  service = await startService((_request, response) => answerText(response, answer));
});
afterAll(() => service.close());

const client = (): WholeClient =>
  createWholeClient(
    createTransport({
      baseUrl: service.baseUrl,
      signing: 'hmac-sha256',
      traits: documentedTraits(),
      credentials: () => Promise.resolve(credentials),
      clock: () => 1,
      random: () => 0,
      timeoutMs: minute,
    }),
  );

describe('the request to each endpoint', () => {
  it.each<(typeof endpoints)[number]>(endpoints)('%s, %s', async (requestLine, auth, ask, body = '') => {
    await ask(client());
    const seen = service.seen.at(-1);
    expect(`${seen?.method} ${seen?.url}`).toBe(requestLine);
    expect(seen?.body).toBe(body);
    expect(seen?.headers.authorization).toBe(auth === 'authorization' ? 'Bearer key-1' : undefined);
    expect(seen?.headers['x-client-id']).toBe(auth === 'signed' ? 'client-1' : undefined);
  });
});

describe('a deposit', () => {
  it('is read with exact amounts, and without odd optional fields', async () => {
    answer = enveloped(deposit, 201);
    const made = client().deposits.createCrypto({ inputCurrency: 'a-b', inputAmount: '1' });
    expect(await made).toMatchObject({
      kind: 'succeeded',
      statusCode: 201,
      data: { depositId: 'x', inputAmount: '10000', fee: { amount: '1' }, paymentFiat: { qrData: 'q' } },
    });
    expect(await made).not.toHaveProperty('data.exchangeInfo.exchangeRate');
  });

  it('is listed in pages', async () => {
    answer = enveloped(`{"docs":[${deposit}],"page":1,"totalPages":1,"limit":10,"prevPage":null}`);
    expect(await client().deposits.listAny({})).toMatchObject({
      kind: 'succeeded',
      data: { docs: [{ depositId: 'x' }], page: 1, limit: 10 },
    });
  });

  it('is canceled with an answer without data', async () => {
    answer = '{"statusCode":200,"message":"Deposit cancelled"}';
    expect(await client().deposits.cancel('x')).toEqual({ kind: 'succeeded', statusCode: 200, data: undefined });
  });

  it('in fiat is requested with an amount', () => {
    const request = { inputCurrency: 'IDR', outputCurrency: 'IDR', balanceType: 'fiat', paymentMethod: 'BCA' };
    expect(() => client().deposits.createFiat(request)).toThrow('no amount');
  });
});

describe('references', () => {
  it('are lists of the service’s records', async () => {
    answer = enveloped('[{"currency":"IDR","requireIban":false}]');
    expect(await client().references.currencies()).toMatchObject({ data: [{ currency: 'IDR', requireIban: false }] });
    answer = enveloped('[{"id":"usdt-tron","chainId":1,"decimal":6,"is_native":false,"currencies":["IDR"]}]');
    expect(await client().references.cryptos({})).toMatchObject({ data: [{ id: 'usdt-tron', decimal: 6 }] });
  });
});
