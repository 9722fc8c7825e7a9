import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readJson, wireAmount, wireNumber } from '../../../../functions/payment-service/http/wire-json.ts';

const amountIn = (json: string) => wireAmount.safeParse(readJson(Buffer.from(json))?.value);

it.each([
  ['1', '1'],
  ['0.1', '0.1'],
  ['1.50', '1.5'],
  ['1e3', '1000'],
  ['1.000000000000000001', '1.000000000000000001'],
  ['12345678901234567890', '12345678901234567890'],
])('the JSON number %s is the amount %s, with every digit', (json, amount) => {
  expect(amountIn(json)).toMatchObject({ success: true, data: amount });
});

it.each(['0', '-1', '1e400', '1e99', '"5"', 'null', '[]', '{}', 'true', '1'.repeat(50), `0.${'1'.repeat(40)}`, '-0'])(
  'the JSON value %s is not an amount',
  (json) => {
    expect(amountIn(json).success).toBe(false);
  },
);

it('numbers are read back as written', () => {
  const amounts = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }))
    .map(([whole, fraction]) => `${whole}.${fraction.toString().padStart(18, '0')}`.replace(/0+$/, ''));
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(amountIn(JSON.stringify(wireNumber(amount)))).toMatchObject({ data: amount });
    }),
  );
});

it('text that is not JSON differs from null, which is no value', () => {
  expect(readJson(Buffer.from('{bad'))).toBeUndefined();
  expect(readJson(Buffer.from('null'))).toEqual({ value: undefined });
});

it('a field that is null is absent, but an item stays', () => {
  const value = Object(readJson(Buffer.from('{"a":null,"b":{"c":null},"d":["x",null]}'))?.value);
  expect(Object.keys(value)).toEqual(['b', 'd']);
  expect(Object.keys(value.b)).toEqual([]);
  expect(value.d).toHaveLength(2);
});

it.each([
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['half a character, escaped', Buffer.from('{"a":["\\ud83d"]}')],
  ['endlessly nested lists', Buffer.from('['.repeat(100_000))],
])('a body of %s is not JSON', (_, bytes) => {
  expect(readJson(bytes)).toBeUndefined();
});

it('a whole character is accepted, escaped or not', () => {
  expect(readJson(Buffer.from('["\\ud83d\\ude00😀"]'))).toEqual({ value: ['😀😀'] });
});
