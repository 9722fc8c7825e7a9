import { describe, expect, it } from 'vitest';
import {
  balanceOf,
  createdBy,
  detailOf,
  envelopeOf,
  getSigned,
  send,
  sendWithoutKey,
} from '../support/payment-service/merchant.ts';
import { uniqueWord } from '../support/payment-service/unique-word.ts';

const postV1 = (disburseData: readonly object[]): Promise<Response> =>
  send('POST', '/v1/disbursement/fiat', { disburseData });
const item = (currency: string, amount: number, reference = uniqueWord()) => ({
  currency,
  recipientId: 'rcp_anna',
  amount,
  reference,
});

describe('deprecation headers', () => {
  it.each([
    ['GET /v1/reference/currencies', () => sendWithoutKey('GET', '/v1/reference/currencies'), 200],
    ['GET /v1/reference/cryptos', () => sendWithoutKey('GET', '/v1/reference/cryptos'), 200],
    ['a refused filter', () => sendWithoutKey('GET', '/v1/reference/cryptos?useSmartContract=yes'), 400],
    ['POST /v1/disbursement/fiat', () => postV1([item('PHP', 100)]), 200],
    ['a refused POST /v1/disbursement/fiat', () => postV1([]), 400],
    ['an unauthenticated POST /v1/disbursement/fiat', () => sendWithoutKey('POST', '/v1/disbursement/fiat'), 401],
  ])('are on %s, without a removal date', async (_, ask, status) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(response.headers.get('Deprecation')).toBe('@1767225600');
    expect(response.headers.get('Sunset')).toBeNull();
  });

  it.each([
    ['GET /v1/balance', () => send('GET', '/v1/balance')],
    ['GET /v1/disbursement/fiat', () => getSigned('/v1/disbursement/fiat')],
    ['POST /v2/disbursement/fiat', () => send('POST', '/v2/disbursement/fiat', {})],
  ])('are not on %s', async (_, ask) => {
    expect((await ask()).headers.get('Deprecation')).toBeNull();
  });
});

describe('a POST of fiat disbursements in several currencies', () => {
  it('debits each balance by its own amounts and fees, and makes one group per currency', async () => {
    const before = { PHP: await balanceOf('PHP'), SGD: await balanceOf('SGD') };
    const made = await createdBy(postV1([item('PHP', 100), item('SGD', 20), item('PHP', 300)]));
    expect(made).toMatchObject([
      { amount: 100, currency: 'PHP', balance: { before: before.PHP } },
      { amount: 20, currency: 'SGD', balance: { before: before.SGD } },
      { amount: 300, currency: 'PHP' },
    ]);
    const [first, second, third] = made;
    expect(first?.groupId).toBe(third?.groupId);
    expect(first?.groupId).not.toBe(second?.groupId);
    const spent = (currency: string) =>
      made.reduce((sum, one) => (one['currency'] === currency ? sum + one.amount + one.feeAmount : sum), 0);
    expect(await balanceOf('PHP')).toBeCloseTo(before.PHP - spent('PHP'), 6);
    expect(await balanceOf('SGD')).toBeCloseTo(before.SGD - spent('SGD'), 6);
    await expect
      .poll(
        async () =>
          (await Promise.all(made.map((one) => detailOf(`/v1/disbursement/fiat/${one.disbursementId}`)))).map(
            ({ status }) => status,
          ),
        { timeout: 60_000, interval: 1000 },
      )
      .toEqual(['completed', 'completed', 'completed']);
  });

  it('creates nothing in any currency when one balance is too small', async () => {
    const before = await balanceOf('PHP');
    const [good, short] = [item('PHP', 100), item('THB', 2_000_000)];
    expect(await envelopeOf(postV1([good, short]))).toMatchObject({ statusCode: 400, message: 'insufficient balance' });
    expect(await balanceOf('PHP')).toBe(before);
    expect(await envelopeOf(getSigned(`/v1/disbursement/fiat/${good.reference}`))).toMatchObject({ statusCode: 404 });
  });

  it('creates nothing in any currency when one reference is taken', async () => {
    const used = item('SGD', 20);
    await createdBy(postV1([used]));
    const before = await balanceOf('PHP');
    expect(await envelopeOf(postV1([item('PHP', 100), used]))).toMatchObject({
      statusCode: 400,
      message: `reference ${used.reference} was used before`,
    });
    expect(await balanceOf('PHP')).toBe(before);
  });

  it.each([
    ['no currency', { ...item('PHP', 100), currency: undefined }, 'disburseData[0].currency: must be a text'],
    ['an unknown currency', item('XXX', 100), 'disburseData[0].currency is not supported'],
    ['no recipient', { ...item('PHP', 100), recipientId: undefined }, 'disburseData[0].recipientId'],
    ['a negative amount', item('PHP', -1), 'disburseData[0].amount: must be a positive number'],
  ])('with %s is refused', async (_, wrong, message) => {
    const answer = await envelopeOf(postV1([wrong]));
    expect(answer).toMatchObject({ statusCode: 400, message: expect.stringContaining(message) });
  });
});
