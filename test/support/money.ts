import { Money } from '../../functions/domain/money.ts';

/** Money of the currencies that most tests pay in: `idr('10.50')`. */
const moneyOf =
  <const Currency extends string>(currency: Currency) =>
  (amount: string): Money<Currency> =>
    Money.of(amount, currency);

export const idr = moneyOf('IDR');
export const thb = moneyOf('THB');
export const usdt = moneyOf('usdt-tron');
