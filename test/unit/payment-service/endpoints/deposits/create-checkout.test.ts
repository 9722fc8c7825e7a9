import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createCheckout } from '../../../../../functions/payment-service/endpoints/deposits/create-checkout.ts';
import { line } from '../../../../../functions/payment-service/http/request-fields.ts';
import { route } from '../../../../../functions/payment-service/http/router.ts';
import { drawsAll } from '../../../../support/fast-loop.ts';
import { MemoryTable } from '../../../../support/memory-table/memory-table.ts';
import { newContext, newGate } from '../../../../support/payment-service/new-context.ts';

/** Creates a checkout of 1,000 pesos. `made` is the stored checkout. */
const create = async (fields: Readonly<Record<string, unknown>>) => {
  const memory = new MemoryTable();
  const answer = await route(newGate(newContext({ table: memory })), [createCheckout])({
    requestId: 'r',
    method: 'POST',
    path: '/v1/checkout',
    query: [],
    headers: new Map(),
    body: Buffer.from(JSON.stringify({ inputCurrency: 'PHP', outputAmount: 1000, ...fields })),
  });
  if (answer.kind !== 'json') throw new Error('not an API answer');
  return { statusCode: answer.statusCode, body: JSON.stringify(answer.body), made: memory.items() };
};

describe('the return address', () => {
  it.each([
    'https://kopi.example',
    'https://kopi.example/',
    'https://shop.kopi.co.id:8443/orders/7?ref=%C3%A9&a=1;b=2#done',
    "https://kopi.example/a(1)*'!$,@:~_-.",
    'https://KOPI.example?x',
    'https://xn--kopi-dra.example/',
    'https://localhost:5173/done',
    `https://kopi.example/${'a'.repeat(1979)}`,
  ])('can be %s', async (returnUrl) => {
    const { statusCode, made } = await create({ returnUrl });
    expect(statusCode).toBe(200);
    expect(made).toMatchObject([{ returnUrl }]);
  });

  it.each([
    '',
    'kopi.example',
    '/orders/7',
    '//kopi.example/',
    'http://kopi.example/',
    'http://localhost/',
    'HTTPS://kopi.example/',
    'javascript:alert(1)',
    'javascript://kopi.example/%0aalert(1)',
    'data:text/html,hello',
    'https:kopi.example',
    'https:///kopi.example',
    'https://',
    'https://user@kopi.example/',
    'https://user:password@kopi.example/',
    'https://kopi.example\\@evil.example/',
    'https://kopi.example:0/',
    'https://kopi.example:99999/',
    'https://192.0.2.1/',
    'https://[2001:db8::1]/',
    'https://kopі.example/',
    'https://kopi.example/\u202emoc',
    'https://kopi.example/a b',
    ' https://kopi.example/',
    'https://kopi.example/\n',
    'ht\ntps://kopi.example/',
    'https://kopi.example/"onclick="x',
    'https://kopi.example/<b>',
    `https://kopi.example/${'a'.repeat(1980)}`,
    7,
    ['https://kopi.example/'],
  ])('cannot be %s', async (returnUrl) => {
    const { statusCode, body, made } = await create({ returnUrl });
    expect(statusCode).toBe(400);
    expect(body).toContain('returnUrl: must');
    expect(made).toEqual([]);
  });
});

describe('the description of the order', () => {
  it.each([
    ['a line', 'Two bags of coffee', 'Two bags of coffee'],
    ['markup, which stays text', '<b>7</b> & "8"', '<b>7</b> & "8"'],
    ['surrounding spaces, which are removed', '  Coffee ', 'Coffee'],
    ['joiners and variation selectors', 'می\u200cخواهم 👩\u200d🍳 ☕\ufe0f', 'می\u200cخواهم 👩\u200d🍳 ☕\ufe0f'],
    ['the longest', 'é'.repeat(140), 'é'.repeat(140)],
  ])('can be %s', async (_, description, kept) => {
    expect((await create({ description })).made).toMatchObject([{ description: kept }]);
  });

  it.each([
    ['empty', ''],
    ['spaces only', '   '],
    ['two lines', 'Coffee\nTea'],
    ['two lines in Unicode', 'Coffee\u2028Tea'],
    ['two paragraphs in Unicode', 'Coffee\u2029Tea'],
    ['text that changes direction', 'Coffee \u202eaeT'],
    ['text that changes direction by isolates', 'Coffee \u2067Tea'],
    ['a zero-width space', 'Coffee\u200bTea'],
    ['a Braille blank', 'Coffee\u2800Tea'],
    ['a tag', 'Coffee\u{e0041}'],
    ['joiners only', ' \u200d\ufe0f '],
    ['too long', 'x'.repeat(141)],
    ['a number', 7],
  ])('cannot be %s', async (_, description) => {
    const { statusCode, body, made } = await create({ description });
    expect(statusCode).toBe(400);
    expect(body).toContain('description: must');
    expect(made).toEqual([]);
  });
});

it('both are optional', async () => {
  const { statusCode, made } = await create({});
  expect(statusCode).toBe(200);
  expect(made).toMatchObject([{ inputCurrency: 'PHP', outputAmount: '1000', outputCurrency: 'PHP' }]);
  expect(Object.keys(made[0] ?? {})).not.toContain('description');
  expect(Object.keys(made[0] ?? {})).not.toContain('returnUrl');
});

it('the OpenAPI document and the service allow the same characters in a line', () => {
  const taken = line(4);
  const document = new RegExp(z.toJSONSchema(taken).pattern ?? '', 'u');
  const differ: string[] = [];
  // The fast loop skips most letters beyond those that have rules of their own.
  const stride = (code: number): number => (drawsAll || code < 0x3000 ? 1 : 37);
  for (let code = 0; code <= 0x10_ffff; code += stride(code)) {
    const letter = String.fromCodePoint(code);
    if (!letter.isWellFormed()) continue;
    for (const text of [letter, `a${letter}a`])
      if (taken.safeParse(text).success !== document.test(text)) differ.push(code.toString(16));
  }
  expect(differ).toEqual([]);
});
