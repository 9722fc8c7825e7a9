import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Conversion,
  ConversionRequest,
} from '../../../../../functions/payment-service/domain/conversions/conversion.ts';
import {
  atMovedRate,
  priceConversion,
} from '../../../../../functions/payment-service/domain/conversions/conversion.ts';
import { assets } from '../../../../../functions/payment-service/domain/money/currencies.ts';
import { isLess, multiply } from '../../../../../functions/payment-service/domain/money/decimal.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../../../functions/payment-service/domain/refused.ts';

const terms = { conversionFeePercentage: '0.5', rates: {}, account: { conversions: 'all' } } as const;

const baht = (amount: string): Money => Money.of(amount, 'THB');

const priced = (request: ConversionRequest): Conversion => {
  const outcome = priceConversion(terms, request);
  if (outcome instanceof Refused) throw new Error(outcome.message);
  return outcome;
};

const tokens = assets.filter((asset) => asset.type === 'crypto');
const currencies = assets.filter((asset) => asset.type === 'fiat');
const amountWith = (decimals: number) =>
  fc.bigInt({ min: 10n ** BigInt(decimals), max: 10n ** BigInt(decimals + 6) }).map((units) => {
    const digits = units.toString().padStart(decimals + 1, '0');
    const whole = digits.slice(0, digits.length - decimals);
    return decimals === 0 ? digits : `${whole}.${digits.slice(-decimals)}`;
  });

describe('a conversion of a given input', () => {
  it('follows from rate, markup and fee', () => {
    expect(
      priced({ inputCurrency: 'usdt-tron', inputAmount: '100', outputCurrency: 'THB', markupRatePercentage: '1' }),
    ).toEqual({
      input: Money.of('100', 'usdt-tron'),
      rate: '33.8382',
      converted: baht('3383.82'),
      fee: baht('16.92'),
      total: baht('3366.9'),
      markupRatePercentage: '1',
      wanted: undefined,
    });
  });

  it('never gives more than the rate, and splits into fee and total', () => {
    const cases = fc
      .tuple(fc.constantFrom(...tokens), fc.constantFrom(...currencies))
      .chain(([token, fiat]) => fc.tuple(fc.constant(token), fc.constant(fiat), amountWith(token.decimals)));
    fc.assert(
      fc.property(cases, ([token, fiat, inputAmount]) => {
        const one = priced({ inputCurrency: token.code, inputAmount, outputCurrency: fiat.code });
        expect(isLess(multiply(inputAmount, one.rate), one.converted.amount)).toBe(false);
        expect(one.fee.plus(one.total)).toEqual(one.converted);
        expect(one.total.isTooFine()).toBe(false);
      }),
    );
  });
});

describe('a conversion for a wanted output', () => {
  it('lets exactly that arrive, for an input that suffices', () => {
    const cases = fc
      .tuple(fc.constantFrom(...tokens), fc.constantFrom(...currencies))
      .chain(([token, fiat]) => fc.tuple(fc.constant(token), fc.constant(fiat), amountWith(fiat.decimals)));
    fc.assert(
      fc.property(cases, ([token, fiat, outputAmount]) => {
        const one = priced({ inputCurrency: token.code, outputAmount, outputCurrency: fiat.code });
        expect(one.total.minus(Money.of(outputAmount, fiat.code)).isZero()).toBe(true);
        expect(isLess(multiply(one.input.amount, one.rate), one.converted.amount)).toBe(false);
        expect(one.input.isTooFine()).toBe(false);
      }),
    );
  });
});

it.each<[string, ConversionRequest, string]>([
  ['no amount', { inputCurrency: 'usdt-tron', outputCurrency: 'THB' }, 'exactly one'],
  [
    'both amounts',
    { inputCurrency: 'usdt-tron', outputCurrency: 'THB', inputAmount: '1', outputAmount: '1' },
    'exactly one',
  ],
  ['a fiat input', { inputCurrency: 'IDR', outputCurrency: 'THB', inputAmount: '1' }, 'inputCurrency'],
  [
    'a crypto output',
    { inputCurrency: 'usdt-tron', outputCurrency: 'usdc-polygon', inputAmount: '1' },
    'outputCurrency',
  ],
  [
    'too many decimals in',
    { inputCurrency: 'usdt-tron', outputCurrency: 'THB', inputAmount: '1.1234567' },
    '6 decimals',
  ],
  ['too many decimals out', { inputCurrency: 'usdt-tron', outputCurrency: 'VND', outputAmount: '1.5' }, '0 decimals'],
  ['a tiny amount', { inputCurrency: 'usdt-tron', outputCurrency: 'SGD', inputAmount: '0.000001' }, 'too small'],
])('a conversion with %s is refused', (_, request, message) => {
  expect(priceConversion(terms, request)).toMatchObject({ message: expect.stringContaining(message) });
});

it('a rate in the settings replaces the table’s', () => {
  const outcome = priceConversion(
    { ...terms, rates: { 'usdt-tron/THB': '10' } },
    { inputCurrency: 'usdt-tron', outputCurrency: 'THB', inputAmount: '100' },
  );
  expect(outcome).toMatchObject({ rate: '10', converted: baht('1000') });
});

it.each([
  ['all', true],
  [['usdt-tron/THB', 'usdt-tron/IDR'], true],
  [['usdt-tron/IDR'], false],
  [[], false],
] as const)('a merchant with %j enabled may convert: %s', (conversions, may) => {
  const request = { inputCurrency: 'usdt-tron', outputCurrency: 'THB', inputAmount: '100' };
  expect(priceConversion({ ...terms, account: { conversions } }, request) instanceof Refused).toBe(!may);
});

describe('a rate that moves between quote and conversion', () => {
  it('leaves five percent less of the same input', () => {
    const quoted = priced({ inputCurrency: 'usdt-tron', inputAmount: '100.0013', outputCurrency: 'THB' });
    expect(atMovedRate(terms, quoted)).toEqual({
      ...quoted,
      rate: '32.471',
      converted: baht('3247.14'),
      fee: baht('16.24'),
      total: baht('3230.9'),
    });
  });

  it('is refused when nothing would be left', () => {
    const quoted = priced({ inputCurrency: 'usdt-tron', inputAmount: '0.00004', outputCurrency: 'VND' });
    expect(atMovedRate(terms, quoted)).toBeUndefined();
  });
});
