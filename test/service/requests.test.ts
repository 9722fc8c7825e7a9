import { describe, expect, it } from 'vitest';
import {
  balanceOf,
  envelopeOf,
  fiatItems,
  getSigned,
  postFiat,
  send,
  sendWithoutKey,
} from '../support/payment-service/merchant.ts';
import { uniqueWord } from '../support/payment-service/unique-word.ts';

describe('an invalid request gets the error envelope, and moves nothing', () => {
  const item = fiatItems(1)[0];
  it.each<[string, unknown, string]>([
    ['malformed JSON', '{bad', 'the body is not JSON'],
    ['an empty body', '', 'the body is not JSON'],
    ['a megabyte', `"${'x'.repeat(1_000_000)}"`, 'the body is larger than 262144 bytes'],
    ['a list for an object', [], 'the body must be an object'],
    ['no items', { currency: 'PHP' }, 'disburseData: must be a list'],
    [
      'a huge number',
      `{"currency":"PHP","disburseData":[{"recipientId":"rcp_anna","amount":1e400}]}`,
      'disburseData[0].amount',
    ],
    ['a negative amount', { currency: 'PHP', disburseData: [{ ...item, amount: -5 }] }, 'disburseData[0].amount'],
    ['an amount in text', { currency: 'PHP', disburseData: [{ ...item, amount: '5' }] }, 'disburseData[0].amount'],
    [
      'a reference that does not fit in a path',
      { currency: 'PHP', disburseData: [{ ...item, reference: 'a/b' }] },
      'disburseData[0].reference',
    ],
    [
      'an unknown method',
      { currency: 'PHP', disburseData: [{ ...item, recipient: { bank: { ...item?.recipient.bank, bankCode: 'X' } } }] },
      'Payment method not found',
    ],
  ])('%s', async (_, body, message) => {
    const before = await balanceOf('PHP');
    const answer = await envelopeOf(send('POST', '/v2/disbursement/fiat', body));
    expect(answer).toMatchObject({ statusCode: 400, error: 'Bad Request' });
    expect(answer.message).toContain(message);
    expect(await balanceOf('PHP')).toBe(before);
  });

  it('more items than allowed in a POST', async () => {
    expect(await envelopeOf(postFiat(fiatItems(101)))).toMatchObject({
      statusCode: 400,
      message: 'at most 100 items are allowed',
    });
  });
});

it.each([
  ['GET', '/'],
  ['GET', '/v1'],
  ['GET', '/v1/nothing'],
  ['GET', '/v1/disbursement'],
  ['GET', '/v2/disbursement/nothing'],
])('%s %s does not exist', async (method, path) => {
  expect(await envelopeOf(send(method, path))).toMatchObject({ statusCode: 404, error: 'Not Found' });
});

it.each([
  ['DELETE', '/v1/balance', 'GET'],
  ['POST', '/v1/disbursement/fiat/payment-method', 'GET'],
  ['PUT', '/v1/disbursement/fiat', 'GET, POST'],
])('%s %s is the wrong method', async (method, path, allow) => {
  const answer = await send(method, path);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(await envelopeOf(answer)).toMatchObject({ statusCode: 405, error: 'Method Not Allowed' });
});

describe('each endpoint accepts only its own kind of credentials', () => {
  it.each(['/v1/balance', '/v1/disbursement/fiat/payment-method', '/v1/disbursement/crypto/payment-method'])(
    'the API key for %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(200);
      expect(await envelopeOf(getSigned(path))).toMatchObject({ statusCode: 401, message: 'Unauthorized' });
      expect(await envelopeOf(sendWithoutKey('GET', path))).toMatchObject({ statusCode: 401 });
    },
  );

  it.each([
    '/v1/disbursement/fiat',
    '/v1/disbursement/crypto?limit=5',
    '/v1/disbursement/crypto/estimate?amount=10&token=usdt-tron',
  ])('a signature for %s', async (path) => {
    expect((await getSigned(path)).status).toBe(200);
    expect(await envelopeOf(send('GET', path))).toMatchObject({ statusCode: 401, message: 'Unauthorized' });
    expect(await envelopeOf(getSigned(path, { timestamp: `${Date.now() - 360_000}` }))).toMatchObject({
      statusCode: 401,
    });
  });
});

it('a reference is found both as it is and percent-encoded', async () => {
  const reference = `a:${uniqueWord()}`;
  await postFiat(fiatItems(1).map((item) => ({ ...item, reference })));
  for (const written of [reference, encodeURIComponent(reference)]) {
    expect(await envelopeOf(getSigned(`/v1/disbursement/fiat/${written}`))).toMatchObject({ data: { reference } });
  }
});

it('the estimated fee of a crypto disbursement equals the charged one', async () => {
  expect(
    await envelopeOf(getSigned('/v1/disbursement/crypto/estimate?token=usdc-polygon&amount=10.000001')),
  ).toMatchObject({
    data: { token: 'usdc-polygon', amount: 10.000001, fee: 0.11 },
  });
});

it.each([
  ['a currency', '?currency=THB', 4],
  ['an unknown currency', '?currency=XXX', 0],
])('payment methods of %s', async (_, query, count) => {
  const { data } = await envelopeOf(send('GET', `/v1/disbursement/fiat/payment-method${query}`));
  expect(data).toHaveLength(count);
});
