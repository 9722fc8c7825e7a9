import type { Conversion } from '../../../functions/payment-service/domain/conversions/conversion.ts';
import { Money } from '../../../functions/payment-service/domain/money/money.ts';

export const exampleConversion: Conversion = {
  input: Money.of('60', 'usdt-tron'),
  rate: '0.5',
  converted: Money.of('30', 'USD'),
  fee: Money.of('1', 'USD'),
  total: Money.of('29', 'USD'),
  markupRatePercentage: '0',
};
