import { expect, it } from 'vitest';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { grouped } from '../../../../../functions/payment-service/domain/money/money-text.ts';

it.each([
  ['1250000.5', 'IDR', '1,250,000.50'],
  ['999', 'VND', '999'],
  ['1000', 'VND', '1,000'],
  ['0.000000000000000001', 'IDR', '0.000000000000000001'],
  ['12345678901234567890.12', 'IDR', '12,345,678,901,234,567,890.12'],
])('%s %s reads %s', (amount, currency, text) => {
  expect(grouped(Money.of(amount, currency))).toBe(text);
});
