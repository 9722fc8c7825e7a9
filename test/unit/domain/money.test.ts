import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, railOf } from '../../../functions/domain/currency.ts';
import { InvariantBroken } from '../../../functions/domain/errors.ts';
import { feeInMinorUnits } from '../../../functions/domain/fees.ts';
import {
  addAmounts,
  compareAmounts,
  fromMinorUnits,
  isPositive,
  multiplyAmount,
  parseAmount,
  percentOf,
  roundFeeUp,
  subtractAmounts,
  subtractDownToZero,
  toMinorUnits,
} from '../../../functions/domain/money.ts';
import { feeOf } from './fee-of.ts';

const digits = fc.bigInt({ min: 0n, max: 10n ** 30n });
const decimal = fc
  .tuple(digits, fc.integer({ min: 0, max: 18 }))
  .map(([whole, decimals]) => fromMinorUnits(whole, decimals));

describe('an amount', () => {
  it.each([
    ['1', '1'],
    ['0.1', '0.1'],
    ['007.50', '7.50'],
    ['007', '7'],
    ['0.05', '0.05'],
    ['100.005', '100.005'],
    ['0', '0'],
    ['00', '0'],
    ['123456789012345678901234567890.123456789012345678', '123456789012345678901234567890.123456789012345678'],
  ])('is read from %s as %s', (input, amount) => {
    expect(parseAmount(input)).toBe(amount);
  });

  it.each(['', ' 1', '-1', '+1', '.5', '5.', '1e3', '1,5', '1_000', '0x10', 'NaN', 'Infinity', '١', '1.2.3'])(
    'is not read from "%s"',
    (input) => {
      expect(parseAmount(input)).toBeUndefined();
    },
  );

  it('survives sums without losing a digit', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const sum = addAmounts(a, b);
        expect(addAmounts(b, a)).toBe(sum);
        expect(subtractAmounts(sum, b)).toBe(subtractAmounts(a, '0'));
        expect(toMinorUnits(sum, 18)).toBe(toMinorUnits(a, 18) + toMinorUnits(b, 18));
        expect(sum).toMatch(/^\d+(\.\d*[1-9])?$/);
      }),
    );
  });

  it('compares as a number, not as text', () => {
    expect(compareAmounts('10.50', '10.5')).toBe(0);
    expect(compareAmounts('9', '10')).toBe(-1);
    expect(compareAmounts('0.000000000000000002', '0.000000000000000001')).toBe(1);
    expect(isPositive('0.00')).toBe(false);
    expect(subtractDownToZero('1', '2')).toBe('0');
  });

  it('is never a binary number', () => {
    expect(() => addAmounts(JSON.parse('0.1'))).toThrow(TypeError);
  });

  it('is multiplied by whole counts alone', () => {
    expect(multiplyAmount('0.1', 3)).toBe('0.3');
    expect(() => multiplyAmount('0.1', 1.5)).toThrow(InvariantBroken);
  });

  it('of 0.1 and 0.2 makes 0.3', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3');
    expect(addAmounts()).toBe('0');
  });

  it('is written in minor units and back', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 18 }), (minor, decimals) => {
        expect(toMinorUnits(fromMinorUnits(minor, decimals), decimals)).toBe(minor);
      }),
    );
    expect(() => toMinorUnits('1.234', 2)).toThrow(InvariantBroken);
  });
});

describe('a currency', () => {
  it.each([
    ['IDR', 'fiat', 2],
    ['VND', 'fiat', 0],
    ['JPY', 'fiat', 0],
    ['KWD', 'fiat', 3],
    ['usdt-tron', 'crypto', 6],
    ['usdc-polygon', 'crypto', 6],
    ['usdt-bsc', 'crypto', 18],
    ['eth-arbitrum', 'crypto', 18],
    ['btc-bitcoin', 'crypto', 8],
    ['sol-solana', 'crypto', 9],
    ['XQZ', 'fiat', undefined],
    ['shiba-nowhere', 'crypto', undefined],
    ['idr', undefined, undefined],
    ['USDT-tron', undefined, undefined],
    ['usdt-', undefined, undefined],
  ])('%s is %s with %s decimals', (currency, rail, decimals) => {
    expect(railOf(currency)).toBe(rail);
    expect(decimalsOf(currency)).toBe(decimals);
  });
});

describe('a fee', () => {
  it.each([
    ['IDR', '2500', '0.15', '1000', '2501.5'],
    ['IDR', '0', '0.15', '1001', '1.51'],
    ['VND', '0', '0.1', '10001', '11'],
    ['usdt-tron', '1', '0', '5', '1'],
    ['usdt-tron', '0.0000001', '0', '5', '0.000001'],
  ])('in %s, %s flat and %s percent, of %s is %s', (currency, feeFlat, feePercentage, amount, fee) => {
    expect(feeOf({ currency, feeFlat, feePercentage }, amount)).toBe(fee);
  });

  it('is rounded up, never down, and by less than a unit', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 18 }), (fee, decimals) => {
        const rounded = roundFeeUp(fee, decimals);
        const excess = subtractAmounts(rounded, fee);
        expect(compareAmounts(excess, '0')).toBeGreaterThanOrEqual(0);
        expect(compareAmounts(excess, fromMinorUnits(1n, decimals))).toBe(-1);
      }),
    );
  });

  it('in minor units is the fee in decimals', () => {
    const terms = fc.record({
      currency: fc.constantFrom('IDR', 'VND', 'usdt-tron', 'eth-ethereum'),
      feeFlat: fc.integer({ min: 0, max: 999_999 }).map((each) => fromMinorUnits(BigInt(each), 4)),
      feePercentage: fc.integer({ min: 0, max: 99_999 }).map((each) => fromMinorUnits(BigInt(each), 3)),
    });
    fc.assert(
      fc.property(terms, fc.bigInt({ min: 1n, max: 10n ** 24n }), (method, minor) => {
        const decimals = decimalsOf(method.currency) ?? 0;
        const amount = fromMinorUnits(minor, decimals);
        expect(fromMinorUnits(feeInMinorUnits(method)(minor), decimals)).toBe(feeOf(method, amount));
      }),
    );
  });

  it('takes a percentage without rounding', () => {
    expect(percentOf('10', '0.5')).toBe('0.05');
    expect(percentOf('0.000000000000000001', '1')).toBe('0.00000000000000000001');
  });
});
