import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  balanceOf,
  createdBy,
  credentialsOf,
  detailOf,
  envelopeOf,
  fiatItems,
  getSigned,
  pageOf,
  send,
  sendWithoutKey,
} from '../support/payment-service/merchant.ts';
import { uniqueWord } from '../support/payment-service/unique-word.ts';

/** A merchant for this test, so that changes to its sandbox disturb no other. */
const second = credentialsOf('sandbox-second');
const control = (path: string, body?: object) => envelopeOf(send('POST', `/sandbox/${path}`, body, second));
const post = (items: readonly object[]) =>
  createdBy(send('POST', '/v2/disbursement/fiat', { currency: 'PHP', disburseData: items }, second));

beforeAll(() => control('reset'));
afterAll(() => control('reset'));

describe('the clock', () => {
  it('moves only for its merchant', async () => {
    const before = Date.now();
    const { data } = await control('clock', { advanceSeconds: 86_400 });
    expect(data).toMatchObject({ clientId: 'sandbox-second', clockOffsetSeconds: 86_400 });
    const [made] = await post(fiatItems(1));
    expect(Date.parse(made?.createdAt ?? '')).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(await envelopeOf(send('GET', '/sandbox'))).toMatchObject({ data: { clockOffsetSeconds: 0 } });
  });

  it('moved forward settles late disbursements immediately', async () => {
    const items = fiatItems(1).map((item) => ({
      ...item,
      recipient: { bank: { ...item.recipient.bank, accountNumber: '0012349905' } },
    }));
    const [late] = await post(items);
    await control('clock', { advanceSeconds: 3600 });
    const path = `/v1/disbursement/fiat/${late?.disbursementId}`;
    await vi.waitFor(async () => expect(await detailOf(path, second)).toMatchObject({ status: 'completed' }), {
      timeout: 30_000,
      interval: 500,
    });
  });

  it.each([
    ['nothing', {}, 'exactly one of'],
    ['both ways', { advanceSeconds: 1, setTo: '2026-10-12T00:00:00.000Z' }, 'exactly one of'],
    ['a fraction', { advanceSeconds: 1.5 }, 'whole number'],
    ['more than ten years', { setTo: '2040-01-01T00:00:00.000Z' }, 'ten years'],
    ['an invalid time', { setTo: 'tomorrow' }, 'ISO 8601'],
  ])('is not moved by %s', async (_, body, message) => {
    expect(await control('clock', body)).toMatchObject({ statusCode: 400, message: expect.stringContaining(message) });
  });
});

describe('rates', () => {
  const estimate = () =>
    envelopeOf(
      getSigned('/v1/convert/estimate?inputAmount=10&inputCurrency=usdt-tron&outputCurrency=THB', { as: second }),
    );

  it('can be set and removed by the merchant', async () => {
    await control('rates', { pair: 'usdt-tron/THB', rate: 10.25 });
    expect(await estimate()).toMatchObject({ data: { estimate: { rate: { fiat: 10.25 }, convertedAmount: 102.5 } } });
    await control('rates', { pair: 'usdt-tron/THB' });
    expect(await estimate()).toMatchObject({ data: { estimate: { rate: { fiat: 34.18 } } } });
  });

  it('are refused for an unknown pair', async () => {
    expect(await control('rates', { pair: 'THB/usdt-tron', rate: 1 })).toMatchObject({ statusCode: 400 });
  });

  it('move between quote and conversion for a magic amount', async () => {
    const query = 'inputAmount=100.0013&inputCurrency=usdt-tron&outputCurrency=THB';
    const { data: quoted } = await envelopeOf(getSigned(`/v1/convert/estimate?${query}`, { as: second }));
    const { quoteId } = Object(quoted);
    const body = { input: { currency: 'usdt-tron' }, output: { currency: 'THB' }, quoteId };
    const { data: converted } = await envelopeOf(send('POST', '/v1/convert', body, second));
    expect(quoted).toMatchObject({ estimate: { rate: { fiat: 34.18 } } });
    expect(converted).toMatchObject({ result: { rate: { fiat: 32.471 }, convertedAmount: 3247.14 } });
  });
});

it('a reset restores the start for its merchant only', async () => {
  const word = uniqueWord();
  const others = await pageOf('/v1/disbursement/fiat');
  const [made] = await post(fiatItems(1, word));
  await control('clock', { advanceSeconds: 60 });
  const { data } = await control('reset');
  expect(data).toMatchObject({ clockOffsetSeconds: 0, rates: {} });
  expect(await pageOf('/v1/disbursement/fiat', second)).toMatchObject({ docs: [], totalDocs: 0 });
  const path = `/v1/disbursement/fiat/${made?.disbursementId}`;
  expect(await envelopeOf(getSigned(path, { as: second }))).toMatchObject({ statusCode: 404 });
  expect(await balanceOf('PHP', second)).toBe(20_000_000);
  expect(await post(fiatItems(1, word))).toHaveLength(1);
  expect((await pageOf('/v1/disbursement/fiat')).totalDocs).toBe(others.totalDocs);
});

it.each(['clock', 'rates', 'reset'])('the control %s needs the key', async (path) => {
  expect(await envelopeOf(sendWithoutKey('POST', `/sandbox/${path}`))).toMatchObject({ statusCode: 401 });
});
