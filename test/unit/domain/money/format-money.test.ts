import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatCount,
  formatDecimal,
  formatMoney,
} from '../../../../functions/domain/money/format-money.ts';
import { Money } from '../../../../functions/domain/money/money.ts';

describe('a formatted amount', () => {
  it.each([
    ['1250000.5', 'IDR', '1,250,000.50'],
    ['900', 'THB', '900.00'],
    ['1250000', 'JPY', '1,250,000'],
    ['1234.5', 'KWD', '1,234.500'],
    ['25.5', 'usdt-tron', '25.500000'],
    ['0', 'IDR', '0.00'],
    ['-1250.5', 'IDR', '-1,250.50'],
    // Of 18 decimals, trailing zeros beyond the sixth are omitted.
    ['1.5', 'eth-ethereum', '1.500000'],
    ['1.123456789012345678', 'eth-ethereum', '1.123456789012345678'],
    // An unknown currency keeps its notation.
    ['1234.5', 'XXX', '1,234.5'],
    ['99999999999999999999999', 'IDR', '99,999,999,999,999,999,999,999.00'],
  ])('%s %s is %s', (amount, currency, expected) => {
    const money = Money.of(amount, currency);
    expect(formatAmount(money)).toBe(expected);
    expect(formatMoney(money)).toBe(`${expected} ${currency}`);
  });
});

it('a decimal without currency is grouped, with its own decimals', () => {
  expect(['12345.75', '1000', '0.5'].map((decimal) => formatDecimal(decimal))).toEqual(['12,345.75', '1,000', '0.5']);
});

it('a formatted count is grouped', () => {
  expect([0, 999, 1000, 1_000_000].map(formatCount)).toEqual(['0', '999', '1,000', '1,000,000']);
});
