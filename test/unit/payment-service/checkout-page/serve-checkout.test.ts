import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CheckoutView } from '../../../../functions/payment-service/checkout-page/checkout-view.ts';
import type { PagePorts } from '../../../../functions/payment-service/checkout-page/page-ports.ts';
import { brokenPage, serveCheckout } from '../../../../functions/payment-service/checkout-page/serve-checkout.ts';
import { pageWords } from '../../../../functions/payment-service/checkout-page/words/page-words.ts';
import type { Answer } from '../../../../functions/payment-service/http/answers.ts';
import type { ServiceRequest } from '../../../../functions/payment-service/http/request.ts';
import { checkoutPagePaths } from '../../../../functions/payment-service/openapi/checkout-page.ts';
import { awaiting, choosing, completed, expired } from '../../../support/payment-service/deposits/checkout-views.ts';

const { checkoutId } = choosing;
const home = `/checkout/${checkoutId}`;
const ownForm = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly query?: ServiceRequest['query'];
}

/** Sends a request when this is the only checkout. `done` lists the operations on it, in order. */
const sent = async (view: CheckoutView, { method = 'GET', path = home, headers = {}, body = '', query = [] }: Sent) => {
  const done: string[] = [];
  const ports: PagePorts = {
    read: async (id) => (id === view.checkoutId ? view : undefined),
    pick: async (id, paymentMethod) => {
      done.push(`pick ${id} ${paymentMethod}`);
      return paymentMethod === 'QRIS' ? 'done' : paymentMethod === 'OVO' ? 'busy' : 'not_offered';
    },
    pay: view.sandbox
      ? async (id) => {
          done.push(`pay ${id}`);
          return undefined;
        }
      : undefined,
  };
  const answer = await serveCheckout(ports)({
    requestId: 'r',
    method,
    path,
    query,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(body),
  });
  if (answer.kind !== 'content') throw new Error('not a page');
  return { ...answer, done };
};

const post = (view: CheckoutView, form: 'method' | 'pay', body = '', headers: Sent['headers'] = ownForm) =>
  sent(view, { method: 'POST', path: `${home}/${form}`, body, headers });

describe('a checkout shows', () => {
  it.each([
    ['choosing', choosing, 200, 'How do you want to pay?'],
    ['awaiting payment', awaiting.qr, 200, 'Waiting for your payment'],
    ['completed', completed, 200, 'Payment received'],
    ['expired', expired, 410, 'This checkout has expired'],
  ] as const)('%s', async (_, view, statusCode, text) => {
    const answer = await sent(view, {});
    expect(answer).toMatchObject({ statusCode, contentType: 'text/html; charset=utf-8' });
    expect(answer.content).toContain(text);
    expect((await sent(view, { method: 'HEAD' })).statusCode).toBe(statusCode);
  });

  it('its state alone, for the open page', async () => {
    const { statusCode, contentType, content } = await sent(awaiting.qr, { path: `${home}/state` });
    expect({ statusCode, contentType }).toEqual({ statusCode: 200, contentType: 'application/json' });
    expect(JSON.parse(content.toString())).toEqual({
      state: 'awaiting_payment',
      expiresAt: awaiting.qr.expiresAt,
      secondsLeft: 842,
    });
  });

  it('the QR code, while it is to be paid', async () => {
    const path = `${home}/qr.png`;
    expect(await sent(awaiting.qr, { path })).toMatchObject({ statusCode: 200, contentType: 'image/png' });
    for (const view of [choosing, awaiting.transfer, completed, expired]) {
      expect((await sent(view, { path })).statusCode).toBe(404);
    }
  });
});

describe('unknown addresses all get the same answer', () => {
  it.each([
    '/checkout',
    '/checkout/',
    '/checkout/nothing',
    `/checkout/chk_${'0'.repeat(32)}`,
    `/checkout/chk_${'0'.repeat(32)}/state`,
    `${home}/`,
    `${home}0`,
    home.toUpperCase(),
    `${home}/nothing`,
    `${home}/method/more`,
    `${home}/..%2f..%2fv1`,
    `/v1${home}`,
  ])('%s', async (path) => {
    const { done: _, ...unknown } = await sent(choosing, { path: '/checkout/chk_unknown' });
    const { done, ...answer } = await sent(choosing, { path });
    expect(answer).toEqual(unknown);
    expect(answer.statusCode).toBe(404);
    expect(done).toEqual([]);
  });

  it('forms do too', async () => {
    const other = { ...choosing, checkoutId: `chk_${'f'.repeat(32)}` };
    const answer = await post(other, 'method', 'paymentMethod=QRIS');
    expect(answer).toMatchObject({ statusCode: 404, done: [] });
  });
});

it.each([
  ['POST', ''],
  ['DELETE', ''],
  ['POST', '/state'],
  ['GET', '/method'],
  ['GET', '/pay'],
])('%s %s is refused because of its method', async (method, rest) => {
  const answer = await sent(awaiting.qr, { method, path: `${home}${rest}`, headers: ownForm });
  expect(answer).toMatchObject({ statusCode: 405, done: [] });
  expect(answer.headers?.['allow']).toBe(method === 'GET' ? 'POST' : 'GET, HEAD');
});

describe('a choice', () => {
  it('is made by the id in the address, and redirects to the page', async () => {
    const answer = await post(choosing, 'method', 'paymentMethod=QRIS&checkoutId=chk_other');
    expect(answer).toMatchObject({ statusCode: 303, done: [`pick ${checkoutId} QRIS`] });
    expect(new URL(answer.headers?.['location'] ?? '', `https://pay.example/stage${home}/method`).pathname).toBe(
      `/stage${home}`,
    );
  });

  it.each([
    ['is missing', '', 'Choose one of the payment methods.'],
    ['is not offered', 'paymentMethod=%3Cb%3E', 'Choose another one.'],
    ['cannot be saved under load', 'paymentMethod=OVO', 'Try again in a moment.'],
  ])('that %s redirects to the page, which shows the problem and accepts another', async (_, body, words) => {
    const { statusCode, headers } = await post(choosing, 'method', body);
    expect(statusCode).toBe(303);
    const { pathname, searchParams } = new URL(headers?.['location'] ?? '', `https://pay.example/stage${home}/method`);
    expect(pathname).toBe(`/stage${home}`);
    const query = [...searchParams];
    const shown = await sent(choosing, { query });
    expect(shown).toMatchObject({ statusCode: 200, content: expect.stringContaining(`role="alert">`) });
    expect(shown.content).toContain(words);
    expect(shown.content).toContain(`action="${checkoutId}/method"`);
    for (const view of [awaiting.qr, completed, expired])
      expect(await sent(view, { query })).toEqual(await sent(view, {}));
  });

  it.each(['', 'Gone', '<b>', 'toString', '__proto__', 'missing,gone'])(
    'cannot show a problem that the page does not know: %s',
    async (problem) => {
      expect(await sent(choosing, { query: [['problem', problem]] })).toEqual(await sent(choosing, {}));
    },
  );

  it.each([
    ['has been made', awaiting.qr],
    ['has been paid', completed],
    ['has come too late', expired],
  ])('changes nothing when one %s', async (_, view) => {
    expect(await post(view, 'method', 'paymentMethod=BCA_VA')).toMatchObject({ statusCode: 303, done: [] });
  });
});

it('the OpenAPI document lists every problem that the page knows', () => {
  const known = Object.keys(pageWords.en.choosing.problems).join(', ');
  expect(JSON.stringify(checkoutPagePaths)).toContain(`One of: ${known}.`);
});

describe('the button that simulates the payment', () => {
  it('pays a pending deposit', async () => {
    expect(await post(awaiting.qr, 'pay')).toMatchObject({ statusCode: 303, done: [`pay ${checkoutId}`] });
  });

  it.each([choosing, completed, expired])('does nothing when $state', async (view) => {
    expect(await post(view, 'pay')).toMatchObject({ statusCode: 303, done: [] });
  });

  it('does not exist outside a sandbox', async () => {
    expect(await post({ ...awaiting.qr, sandbox: false }, 'pay')).toMatchObject({ statusCode: 404, done: [] });
  });
});

describe('a form is accepted only from our own page:', () => {
  const form = 'application/x-www-form-urlencoded';
  it.each<[string, Sent['headers'], string, number]>([
    ['another site', { ...ownForm, 'sec-fetch-site': 'cross-site' }, '', 403],
    ['another host of the same site', { ...ownForm, 'sec-fetch-site': 'same-site' }, '', 403],
    ['the address line', { ...ownForm, 'sec-fetch-site': 'none' }, '', 403],
    ['another origin', { 'content-type': form, origin: 'https://evil.example', host: 'pay.example' }, '', 403],
    ['an invalid origin', { 'content-type': form, origin: 'nonsense', host: 'pay.example' }, '', 403],
    ['a script with JSON', { ...ownForm, 'content-type': 'application/json' }, '{}', 415],
    ['no type at all', { 'sec-fetch-site': 'same-origin' }, '', 415],
    ['a large body', ownForm, `paymentMethod=${'x'.repeat(1024)}`, 413],
  ])('not from %s', async (_, headers, body, statusCode) => {
    expect(await post(awaiting.qr, 'pay', body, headers)).toMatchObject({ statusCode, done: [] });
    expect(await post(choosing, 'method', body === '' ? 'paymentMethod=QRIS' : body, headers)).toMatchObject({
      statusCode,
      done: [],
    });
  });

  it.each<[string, Sent['headers']]>([
    ['browsers that name the site', { ...ownForm, 'content-type': `${form}; charset=UTF-8`, origin: 'null' }],
    ['older ones, which hide our origin', { 'content-type': form, origin: 'null', host: 'pay.example' }],
    ['older ones, which name it', { 'content-type': form, origin: 'https://pay.example', host: 'pay.example' }],
  ])('from %s', async (_, headers) => {
    expect(await post(awaiting.qr, 'pay', '', headers)).toMatchObject({ statusCode: 303 });
  });
});

describe('the language', () => {
  const indonesian = { 'accept-language': 'id-ID,id;q=0.9,en;q=0.5' };
  it.each<[string, CheckoutView, Sent, string]>([
    ['the page', choosing, {}, 'Bagaimana Anda ingin membayar?'],
    ['an expired page', expired, {}, 'Checkout ini sudah kedaluwarsa'],
    ['a choice that is missing', choosing, { query: [['problem', 'missing']] }, 'Pilih salah satu metode'],
    ['a refusal', choosing, { method: 'POST', path: `${home}/pay`, headers: {} }, 'Ini tidak dikirim'],
    ['a wrong method', choosing, { method: 'PUT' }, 'Ini tidak dapat dilakukan di sini'],
    ['nothing', choosing, { path: '/checkout/nothing' }, 'Tidak ada checkout di sini'],
  ])('is the browser’s: %s', async (_, view, request, text) => {
    const asked = { ...(request.headers ?? ownForm), ...indonesian };
    const answer = await sent(view, { ...request, headers: asked });
    expect(answer.headers).toMatchObject({ 'content-language': 'id', vary: 'Accept-Language' });
    expect(answer.content).toContain('<html lang="id">');
    expect(answer.content).toContain(text);
  });

  it.each([undefined, 'fr', 'nonsense;;'])('is English when the browser prefers %s', async (language) => {
    const answer = await sent(choosing, { headers: language === undefined ? {} : { 'accept-language': language } });
    expect(answer.headers).toMatchObject({ 'content-language': 'en', vary: 'Accept-Language' });
    expect(answer.content).toContain('<html lang="en">');
  });

  it('is the browser’s after an error too', () => {
    const request = { requestId: 'r', method: 'GET', path: home, query: [], body: Buffer.alloc(0) };
    const answer = brokenPage({ ...request, headers: new Map(Object.entries(indonesian)) });
    expect(answer).toMatchObject({ statusCode: 500, content: expect.stringContaining('Terjadi kesalahan') });
  });
});

describe('every answer', () => {
  const policyOf = (answer: Answer) => answer.headers?.['content-security-policy'] ?? '';
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  it.each([
    ['the page', {}],
    ['its state', { path: `${home}/state` }],
    ['its QR code', { path: `${home}/qr.png` }],
    ['nothing', { path: '/checkout/nothing' }],
    ['a redirect', { method: 'POST', path: `${home}/pay`, headers: ownForm }],
    ['a refusal', { method: 'POST', path: `${home}/pay` }],
  ] as const)('keeps its address secret and cannot be framed: %s', async (_, request) => {
    const answer = await sent(awaiting.qr, request);
    expect(answer.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(policyOf(answer)).toContain("default-src 'none'");
    expect(policyOf(answer)).toContain("frame-ancestors 'none'");
    expect(policyOf(answer)).not.toContain('unsafe');
  });

  it.each([choosing, awaiting.wallet, completed, expired])(
    'runs and draws only what the policy allows, $state',
    async (view) => {
      const answer = await sent(view, {});
      const page = answer.content.toString();
      const inside = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)?.[1];
      expect(policyOf(answer)).toContain(`style-src ${hashOf(inside('style') ?? '')};`);
      const script = inside('script');
      if (script !== undefined) expect(policyOf(answer)).toContain(`script-src ${hashOf(script)};`);
      expect(script !== undefined).toBe(view.state === 'choosing' || view.state === 'awaiting_payment');
      expect(page).not.toMatch(/ (on[a-z]+|style)=/);
    },
  );
});
