import { beforeAll, describe, expect, it } from 'vitest';
import type { MadeCheckout } from '../../../support/payment-service/deposits/checkouts.ts';
import { depositOf, newCheckout, tracked } from '../../../support/payment-service/deposits/checkouts.ts';
import { balanceOf } from '../../../support/payment-service/merchant.ts';

const ownForm = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

const post = (url: string, form: string, body = '', headers: Readonly<Record<string, string>> = ownForm) =>
  fetch(`${url}/${form}`, { method: 'POST', body, headers, redirect: 'manual' });

/** The redirect after a refused choice of a method. */
const problemOf = async (url: string, method: string): Promise<string> => {
  const { status, headers } = await post(url, 'method', `paymentMethod=${method}`);
  expect(status).toBe(303);
  return new URL(headers.get('location') ?? '', `${url}/method`).href;
};

const stateOf = async (url: string): Promise<unknown> => await (await fetch(`${url}/state`)).json();

describe('the checkout page', () => {
  let checkout: MadeCheckout;
  beforeAll(async () => {
    checkout = await newCheckout();
  });

  it('loads nothing else, cannot be framed and sends no referrer', async () => {
    const { status, headers } = await fetch(checkout.url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  });

  it('answers every unknown address the same', async () => {
    const nowhere = [`chk_${'0'.repeat(32)}`, 'chk_0', checkout.id.toUpperCase(), `dep_${'0'.repeat(24)}`];
    const [unknown, ...others] = await Promise.all(
      nowhere.map(async (id) => {
        const answer = await fetch(checkout.url.replace(checkout.id, id));
        return { status: answer.status, text: await answer.text() };
      }),
    );
    expect(unknown?.status).toBe(404);
    expect(unknown?.text).toContain('There is no checkout here');
    for (const other of others) expect(other).toEqual(unknown);
  });

  it('refuses forms from other sites', async () => {
    const elsewhere = { ...ownForm, 'sec-fetch-site': 'cross-site' };
    expect((await post(checkout.url, 'method', 'paymentMethod=QRIS', elsewhere)).status).toBe(403);
    expect(await tracked(checkout.id)).toMatchObject({ statusCode: 404 });
  });

  it('refuses an unknown method, and does not change', async () => {
    expect(await problemOf(checkout.url, 'NOBANK')).toBe(`${checkout.url}?problem=gone`);
    expect(await stateOf(checkout.url)).toMatchObject({ state: 'choosing', secondsLeft: expect.any(Number) });
  });
});

it('shows description and link back in every state, in the browser’s language', async () => {
  const texts = { description: 'Order 7 <b>', returnUrl: 'https://kopi.example/orders/7?a=1&b=2' };
  const { url } = await newCheckout({ inputCurrency: 'IDR', inputAmount: 150_000, outputAmount: undefined, ...texts });
  const page = async (language: string) => {
    const answer = await fetch(url, { headers: { 'accept-language': language } });
    expect(answer.headers.get('content-language')).toBe(language.slice(0, 2));
    expect(answer.headers.get('vary')).toMatch(/accept-language/i);
    const text = await answer.text();
    expect(text).toContain('Order 7 &lt;b&gt;');
    expect(text).toContain('href="https://kopi.example/orders/7?a=1&amp;b=2"');
    return text;
  };
  expect(await page('id-ID')).toContain('Kembali ke Sandbox Merchant tanpa membayar');
  expect(await page('en-GB')).toContain('Back to Sandbox Merchant without paying');
  await post(url, 'method', 'paymentMethod=QRIS');
  expect(await page('id-ID')).toContain('Menunggu pembayaran Anda');
  await post(url, 'pay');
  expect(await page('en-GB')).toContain('Return to Sandbox Merchant');
});

/** Returns the codes of the methods on a page. */
const offered = async (url: string): Promise<readonly string[]> =>
  [...(await (await fetch(url)).text()).matchAll(/name="paymentMethod" value="(\w+)"/g)].map(([, code]) => code ?? '');

it.each([
  [150_000, ['QRIS', 'BCA', 'MANDIRI', 'BNI', 'BRI', 'GOPAY', 'OVO', 'DANA']],
  [5000, ['QRIS', 'GOPAY', 'OVO', 'DANA']],
  [15_000_000, ['BCA', 'MANDIRI', 'BNI', 'BRI', 'GOPAY', 'OVO', 'DANA']],
  [400_000_000, ['BCA', 'MANDIRI', 'BNI', 'BRI']],
])('methods whose limits fit are offered: %i rupiah', async (inputAmount, methods) => {
  const { url } = await newCheckout({ inputCurrency: 'IDR', inputAmount, outputAmount: undefined });
  expect(await offered(url)).toEqual(methods);
  const refused = ['QRIS', 'BCA', 'GOPAY'].find((method) => !methods.includes(method)) ?? 'NOBANK';
  expect(await problemOf(url, refused)).toBe(`${url}?problem=gone`);
  expect(await stateOf(url)).toMatchObject({ state: 'choosing' });
});

it('ten concurrent choices make one deposit, and ten concurrent payments pay it once', async () => {
  const before = await balanceOf('IDR');
  const { id, url } = await newCheckout();
  const methods = ['QRIS', 'BCA', 'GOPAY', 'OVO', 'DANA', 'BNI', 'BRI', 'MANDIRI', 'QRIS', 'BCA'];
  const chosen = await Promise.all(methods.map((method) => post(url, 'method', `paymentMethod=${method}`)));
  expect(chosen.map(({ status }) => status)).toEqual(methods.map(() => 303));
  expect(new URL(chosen[0]?.headers.get('location') ?? '', `${url}/method`).href).toBe(url);
  const { paymentFiat, outputAmount } = await depositOf(id);
  await Promise.all(methods.map(() => post(url, 'pay')));
  expect(await depositOf(id)).toMatchObject({
    status: 'completed',
    outputAmount,
    paymentFiat: { bankCode: paymentFiat.bankCode },
  });
  expect(await balanceOf('IDR')).toBe(before + outputAmount);
});

it('requests for one checkout do not affect another', async () => {
  const [mine, other] = await Promise.all([newCheckout(), newCheckout()]);
  await post(mine.url, 'method', `paymentMethod=QRIS&checkoutId=${other.id}&id=${other.id}`);
  await post(other.url, 'method', 'paymentMethod=QRIS');
  await post(mine.url, 'pay', `checkoutId=${other.id}&depositId=${other.id}`);
  await post(`${mine.url}/..%2f${other.id}`, 'pay');
  expect(await stateOf(mine.url)).toMatchObject({ state: 'completed' });
  expect(await stateOf(other.url)).toMatchObject({ state: 'awaiting_payment' });
});
