import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assets } from '../../../../../functions/payment-service/domain/money/currencies.ts';
import { isLess, multiply, subtract } from '../../../../../functions/payment-service/domain/money/decimal.ts';
import { CurrencyMismatch, Money } from '../../../../../functions/payment-service/domain/money/money.ts';

const peso = Money.of('1', 'PHP');
const baht = Money.of('1', 'THB');

/** A decimal with at most this many decimals, from its digits as a whole number. */
const decimal = (units: bigint, decimals: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return units < 0n ? `-${text}` : text;
};
const units = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 24n });
const currency = fc.constantFrom(...assets.map(({ code }) => code));
const rate = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((digits) => decimal(digits, 6));

describe('amounts of two currencies', () => {
  it('cannot be combined where both are known: it does not compile', () => {
    // @ts-expect-error: baht are not pesos
    expect(() => peso.plus(baht)).toThrow(CurrencyMismatch);
    // @ts-expect-error: baht are not pesos
    expect(() => peso.minus(baht)).toThrow(CurrencyMismatch);
    // @ts-expect-error: baht are not pesos
    expect(() => peso.isLessThan(baht)).toThrow(CurrencyMismatch);
    // @ts-expect-error: baht are not pesos
    expect(() => Money.sum('PHP', [baht])).toThrow(CurrencyMismatch);
    // @ts-expect-error: only Money makes amounts
    expect(() => peso.plus({ amount: '1', currency: 'THB' })).toThrow(CurrencyMismatch);
  });

  it('cannot be combined where they are unknown: it throws a named error', () => {
    const [some, other]: Money[] = [peso, baht];
    expect(() => other && some?.plus(other)).toThrow(
      expect.objectContaining({ name: 'CurrencyMismatch', message: 'an amount in PHP meets one in THB' }),
    );
  });
});

describe('an amount', () => {
  it('equals one written with more zeros', () => {
    expect(Money.of('1.50', 'PHP')).toEqual(Money.of('1.5', 'PHP'));
  });

  it('of zero has no sign', () => {
    expect(Money.zero('PHP').negated()).toEqual(Money.zero('PHP'));
    expect(Money.of('-0.00', 'PHP')).toEqual(Money.zero('PHP'));
  });

  it('cannot be made from text that is not a decimal', () => {
    expect(() => Money.of('one', 'PHP')).toThrow();
  });

  it.each([
    ['PHP', '0.01'],
    ['VND', '1'],
    ['eth-ethereum', '0.000000000000000001'],
  ])('in %s has the smallest unit %s, and anything below it is too fine', (code, unit) => {
    expect(Money.smallestUnit(code)).toEqual(Money.of(unit, code));
    expect(Money.smallestUnit(code).isTooFine()).toBe(false);
    expect(Money.of(multiply(unit, '0.1'), code).isTooFine()).toBe(true);
  });

  it('in an unknown currency cannot be rounded', () => {
    expect(() => Money.of('1', 'XXX').percentRoundedHalfUp('1')).toThrow('XXX');
  });
});

describe('sums and differences', () => {
  it('are exact', () => {
    fc.assert(
      fc.property(fc.array(units), (all) => {
        const sum = Money.sum(
          'eth-ethereum',
          all.map((one) => Money.of(decimal(one, 18), 'eth-ethereum')),
        );
        const total = all.reduce((before, one) => before + one, 0n);
        expect(sum).toEqual(Money.of(decimal(total, 18), 'eth-ethereum'));
      }),
    );
  });

  it('undo each other, and agree with the order of amounts', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [one, other] = [Money.of(decimal(a, 18), 'eth-ethereum'), Money.of(decimal(b, 18), 'eth-ethereum')];
        expect(one.plus(other).minus(other)).toEqual(one);
        expect(one.minus(other)).toEqual(other.minus(one).negated());
        expect(one.isLessThan(other)).toBe(a < b);
        expect(one.minus(other).isNegative()).toBe(a < b);
        expect(one.minus(other).isPositive()).toBe(a > b);
        expect(one.minus(other).isZero()).toBe(a === b);
      }),
    );
  });
});

describe('rounding', () => {
  const cases = fc.tuple(positive, rate, currency);

  it('down and up gives the nearest amounts below and above, at most a smallest unit apart', () => {
    fc.assert(
      fc.property(cases, ([digits, by, into]) => {
        const one = Money.of(decimal(digits, 18), 'eth-ethereum');
        const [down, up] = [one.timesRoundedDown(by, into), one.timesRoundedUp(by, into)];
        const exact = multiply(one.amount, by);
        expect([down.isTooFine(), up.isTooFine()]).toEqual([false, false]);
        expect(isLess(exact, down.amount)).toBe(false);
        expect(isLess(up.amount, exact)).toBe(false);
        expect(Money.smallestUnit(into).isLessThan(up.minus(down))).toBe(false);
      }),
    );
  });

  it('of a quotient is exact, however many digits it has', () => {
    fc.assert(
      fc.property(cases, ([digits, by, into]) => {
        const one = Money.of(decimal(digits, 18), 'eth-ethereum');
        const [down, up] = [one.dividedRoundedDown(by, into), one.dividedRoundedUp(by, into)];
        expect([down.isTooFine(), up.isTooFine()]).toEqual([false, false]);
        expect(isLess(one.amount, multiply(down.amount, by))).toBe(false);
        expect(isLess(multiply(up.amount, by), one.amount)).toBe(false);
        expect(Money.smallestUnit(into).isLessThan(up.minus(down))).toBe(false);
      }),
    );
  });

  it('of a percentage is off by at most half a smallest unit', () => {
    fc.assert(
      fc.property(positive, fc.integer({ min: 0, max: 10_000 }), currency, (digits, hundredths, code) => {
        const percentage = decimal(BigInt(hundredths), 2);
        const one = Money.of(decimal(digits, 18), code);
        const off = subtract(
          one.percentRoundedHalfUp(percentage).amount,
          multiply(one.amount, multiply(percentage, '0.01')),
        );
        const half = multiply(Money.smallestUnit(code).amount, '0.5');
        expect(isLess(half, off)).toBe(false);
        expect(isLess(off, `-${half}`)).toBe(false);
      }),
    );
  });

  it('half up is away from zero at the half', () => {
    expect(Money.of('1', 'PHP').percentRoundedHalfUp('0.5')).toEqual(Money.of('0.01', 'PHP'));
    expect(Money.of('1', 'PHP').percentRoundedHalfUp('0.49')).toEqual(Money.zero('PHP'));
  });
});
