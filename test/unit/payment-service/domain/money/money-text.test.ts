import { expect, it } from 'vitest';
import { grouped } from '../../../../../functions/payment-service/domain/money/money-text.ts';

it.each([
  ['1250000.5', 2, '1,250,000.50'],
  ['999', 0, '999'],
  ['1000', 0, '1,000'],
  ['0.000000000000000001', 2, '0.000000000000000001'],
  ['12345678901234567890.12', 2, '12,345,678,901,234,567,890.12'],
])('%s with %i decimals reads %s', (amount, decimals, text) => {
  expect(grouped(amount, decimals)).toBe(text);
});
