import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf } from '../../../../functions/domain/money/currency.ts';
import { fromMinorUnits } from '../../../../functions/domain/money/decimal.ts';
import { feeInMinorUnits } from '../../../../functions/domain/money/fees.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import { feeOf } from './fee-of.ts';

describe('a fee', () => {
  it.each([
    ['IDR', '2500', '0.15', '1000', '2501.5'],
    ['IDR', '0', '0.15', '1001', '1.51'],
    ['VND', '0', '0.1', '10001', '11'],
    ['usdt-tron', '1', '0', '5', '1'],
    ['usdt-tron', '0.0000001', '0', '5', '0.000001'],
  ])('in %s, %s flat and %s percent, of %s is %s', (currency, feeFlat, feePercentage, amount, fee) => {
    const flat = Money.of(feeFlat, currency);
    expect(feeOf({ feeFlat: flat, feePercentage }, Money.of(amount, currency))).toEqual(Money.of(fee, currency));
  });

  it('in minor units is the fee in decimals', () => {
    const terms = fc.record({
      currency: fc.constantFrom('IDR', 'VND', 'usdt-tron', 'eth-ethereum'),
      feeFlat: fc.integer({ min: 0, max: 999_999 }).map((each) => fromMinorUnits(BigInt(each), 4)),
      feePercentage: fc.integer({ min: 0, max: 99_999 }).map((each) => fromMinorUnits(BigInt(each), 3)),
    });
    fc.assert(
      fc.property(terms, fc.bigInt({ min: 1n, max: 10n ** 24n }), ({ currency, feeFlat, feePercentage }, minor) => {
        const decimals = decimalsOf(currency) ?? 0;
        const money = (units: bigint): Money => Money.fromMinorUnits(units, currency, decimals);
        const method = { currency, feeFlat: Money.of(feeFlat, currency), feePercentage };
        expect(money(feeInMinorUnits(method)(minor))).toEqual(feeOf(method, money(minor)));
      }),
    );
  });
});
