import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf } from '../../../functions/domain/currency.ts';
import { fromMinorUnits } from '../../../functions/domain/decimal.ts';
import { feeInMinorUnits } from '../../../functions/domain/fees.ts';
import { feeOf } from './fee-of.ts';

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
});
