import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../../../functions/domain/errors.ts';
import {
  compareDecimals,
  fractionDigits,
  fromMinorUnits,
  lessPercent,
  parseAmount,
  toMinorUnits,
} from '../../../../functions/domain/money/decimal.ts';

const digits = fc.bigInt({ min: 0n, max: 10n ** 30n });

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
});

describe('a decimal', () => {
  it('compares as a number, not as text', () => {
    expect(compareDecimals('10.50', '10.5')).toBe(0);
    expect(compareDecimals('9', '10')).toBe(-1);
    expect(compareDecimals('0.000000000000000002', '0.000000000000000001')).toBe(1);
  });

  it('is written in minor units and back', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 18 }), (minor, decimals) => {
        expect(toMinorUnits(fromMinorUnits(minor, decimals), decimals)).toBe(minor);
      }),
    );
    expect(() => toMinorUnits('1.234', 2)).toThrow(InvariantBroken);
  });

  it('is never a binary number', () => {
    expect(() => compareDecimals(JSON.parse('0.1'), '0.1')).toThrow(TypeError);
  });

  it('has as many fraction digits as it was written with', () => {
    expect(['10', '10.5', '10.50'].map(fractionDigits)).toEqual([0, 1, 2]);
  });

  it('loses a percentage without rounding', () => {
    expect(lessPercent('10', '0.5')).toBe('9.95');
    expect(lessPercent('0.000000000000000001', '1')).toBe('0.00000000000000000099');
  });
});
