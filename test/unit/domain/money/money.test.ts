import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CurrencyMismatch, InvariantBroken } from '../../../../functions/domain/errors.ts';
import { fromMinorUnits } from '../../../../functions/domain/money/decimal.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import { runs } from '../../../support/fast-loop.ts';
import { idr, thb, usdt } from '../../../support/money.ts';

/** Units of the eighteenth decimal, the last that test money uses, for comparing big.js with BigInt. */
const scale = 18;
const limit = 10n ** 40n;
const units = fc.bigInt({ min: -limit, max: limit });
const positiveUnits = fc.bigInt({ min: 0n, max: limit });
const decimals = fc.integer({ min: 0, max: scale });

const money = (minor: bigint): Money<'IDR'> => Money.fromMinorUnits(minor, 'IDR', scale);
const written = fc.tuple(units, decimals).map(([minor, digits]) => idr(fromMinorUnits(minor, digits)));

/** Money of a currency that the types do not know. */
const untyped = (amount: string, currency: string): Money => Money.of(amount, currency);

const canonical = /^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/;

describe('adding money up', () => {
  it('is what BigInt makes of it', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(money(a).plus(money(b))).toEqual(money(a + b));
        expect(money(a).minus(money(b))).toEqual(money(a - b));
        expect(Money.sum('IDR', [money(a), money(b)])).toEqual(money(a + b));
        expect(money(a).minusDownToZero(money(b))).toEqual(money(a > b ? a - b : 0n));
      }),
    );
  });

  it('is commutative and associative', () => {
    fc.assert(
      fc.property(written, written, written, (a, b, c) => {
        expect(a.plus(b)).toEqual(b.plus(a));
        expect(a.plus(b).plus(c)).toEqual(a.plus(b.plus(c)));
        expect(Money.sum('IDR', [a, b, c])).toEqual(a.plus(b).plus(c));
      }),
    );
  });

  it('is undone by subtraction', () => {
    fc.assert(
      fc.property(written, written, (a, b) => {
        expect(a.plus(b).minus(b).equals(a)).toBe(true);
      }),
    );
  });

  it('gives text without exponent or redundant zeros', () => {
    fc.assert(
      fc.property(written, written, fc.integer(), (a, b, count) => {
        for (const { amount } of [a.plus(b), a.minus(b), a.times(count), a.percent('0.05')])
          expect(amount).toMatch(canonical);
      }),
    );
    expect(Money.sum('IDR', [idr('10.50')])).toEqual(idr('10.5'));
    expect(idr('0.1').plus(idr('0.2'))).toEqual(idr('0.3'));
    expect(Money.sum('IDR', [])).toEqual(idr('0'));
  });
});

describe('two currencies', () => {
  it('do not compile together when they are known', () => {
    // @ts-expect-error: rupiah and baht
    expect(() => idr('1').plus(thb('1'))).toThrow(CurrencyMismatch);
    // @ts-expect-error: rupiah and baht
    expect(() => Money.sum('IDR', [thb('1')])).toThrow(CurrencyMismatch);
    // @ts-expect-error: money that may be of any currency
    expect(() => idr('1').plus(untyped('1', 'THB'))).toThrow(CurrencyMismatch);
    // @ts-expect-error: an object literal is no money
    const literal: Money = { amount: '1', currency: 'IDR' };
    expect(literal).not.toBeInstanceOf(Money);
  });

  const [rupiah, baht] = [untyped('1', 'IDR'), untyped('1', 'THB')];
  it.each<[string, () => unknown]>([
    ['plus', () => rupiah.plus(baht)],
    ['minus', () => rupiah.minus(baht)],
    ['minusDownToZero', () => rupiah.minusDownToZero(baht)],
    ['sum', () => Money.sum(rupiah.currency, [rupiah, baht])],
    ['isMoreThan', () => rupiah.isMoreThan(baht)],
    ['isAtLeast', () => rupiah.isAtLeast(baht)],
    ['isWithinAUnitOf', () => rupiah.isWithinAUnitOf(baht, 2)],
    ['smallerOf', () => rupiah.smallerOf(baht)],
    ['largerOf', () => rupiah.largerOf(baht)],
    ['shareRoundedDown', () => rupiah.shareRoundedDown({ part: baht, whole: rupiah }, 2)],
    ['shareRoundedUp', () => rupiah.shareRoundedUp({ part: rupiah, whole: baht }, 2)],
  ])('throw when they are known only at run time: %s', (_, meet) => {
    expect(meet).toThrow(CurrencyMismatch);
    expect(meet).toThrow('IDR and THB');
  });

  it('are never equal', () => {
    expect(rupiah.equals(baht)).toBe(false);
  });
});

describe('comparing money', () => {
  it('compares values, as BigInt does', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [one, other] = [money(a), money(b)];
        const [smaller, larger] = a < b ? [one, other] : [other, one];
        expect(one.equals(other)).toBe(a === b);
        expect(one.isMoreThan(other)).toBe(a > b);
        expect(one.isAtLeast(other)).toBe(a >= b);
        expect(one.isPositive()).toBe(a > 0n);
        expect(one.isZero()).toBe(a === 0n);
        expect(one.smallerOf(other)).toEqual(smaller);
        expect(one.largerOf(other)).toEqual(larger);
      }),
    );
  });

  it('ignores the notation', () => {
    expect(idr('10.50').equals(idr('10.5'))).toBe(true);
    expect(idr('9').isMoreThan(idr('10'))).toBe(false);
    expect(idr('0.00').isZero()).toBe(true);
    expect(idr('0.00').isPositive()).toBe(false);
  });

  it('may tolerate one unit of the last decimal, and no more', () => {
    fc.assert(
      fc.property(units, units, decimals, (a, b, digits) => {
        const unit = 10n ** BigInt(scale - digits);
        const apart = a > b ? a - b : b - a;
        expect(money(a).isWithinAUnitOf(money(b), digits)).toBe(apart <= unit);
      }),
    );
    expect(idr('1').isWithinAUnitOf(idr('1.01'), 2)).toBe(true);
    expect(idr('1').isWithinAUnitOf(idr('1.011'), 2)).toBe(false);
  });

  it('by an operator, or as text, is refused', () => {
    expect(() => idr('1') < idr('2')).toThrow(TypeError);
    expect(() => `${idr('1')}`).toThrow(TypeError);
  });
});

describe('rounding', () => {
  const unitOf = (digits: number): Money<'IDR'> => Money.fromMinorUnits(1n, 'IDR', digits);

  it('up is never down, and by less than a unit', () => {
    fc.assert(
      fc.property(positiveUnits, decimals, (minor, digits) => {
        const rounded = money(minor).roundedUp(digits);
        expect(rounded.isAtLeast(money(minor))).toBe(true);
        expect(rounded.minus(money(minor)).isAtLeast(unitOf(digits))).toBe(false);
        expect(rounded.decimals()).toBeLessThanOrEqual(digits);
      }),
    );
    expect([idr('1.001').roundedUp(2), idr('1.01').roundedUp(2), idr('0').roundedUp(2)]).toEqual(
      ['1.01', '1.01', '0'].map(idr),
    );
  });

  it.each([2, 18])('a share with %i decimals rounds as its name says', (decimals) => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 21n });
    const ofCents = (minor: bigint): Money<'IDR'> => Money.fromMinorUnits(minor, 'IDR', decimals);
    fc.assert(
      fc.property(cents, cents, cents, (amount, some, more) => {
        const [part, whole] = [some, some + more + 1n];
        const exactly = amount * part;
        const share = { part: ofCents(part), whole: ofCents(whole) };
        expect(ofCents(amount).shareRoundedDown(share, decimals)).toEqual(ofCents(exactly / whole));
        expect(ofCents(amount).shareRoundedUp(share, decimals)).toEqual(ofCents((exactly + whole - 1n) / whole));
      }),
      { numRuns: runs(2000) },
    );
    expect(idr('100').shareRoundedDown({ part: 1, whole: 3 }, 2)).toEqual(idr('33.33'));
    expect(idr('100').shareRoundedUp({ part: 1, whole: 3 }, 2)).toEqual(idr('33.34'));
  });

  it.each([2, 18])(
    'a grossed-up amount with %i decimals leaves at least the wanted amount, and is minimal',
    (decimals) => {
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n }), fc.integer({ min: 0, max: 9999 }), (minor, hundredths) => {
          const percent = fromMinorUnits(BigInt(hundredths), 2);
          const gross = Money.fromMinorUnits(minor, 'IDR', decimals).grossedUpRoundedUp(percent, decimals);
          const left = 10_000n - BigInt(hundredths);
          expect(gross).toEqual(Money.fromMinorUnits((minor * 10_000n + left - 1n) / left, 'IDR', decimals));
        }),
        { numRuns: runs(2000) },
      );
      expect(idr('99').grossedUpRoundedUp('1', 2)).toEqual(idr('100'));
      expect(idr('0.094132460792154065').grossedUpRoundedUp('0.7', 18)).toEqual(idr('0.094796033023317287'));
      expect(() => idr('1').grossedUpRoundedUp('100', 2)).toThrow(InvariantBroken);
    },
  );

  it('a rate is the output for one unit', () => {
    expect(idr('16100').ratePerUnitRoundedHalfUp(usdt('1'))).toBe('16100');
    expect(idr('1').ratePerUnitRoundedHalfUp(usdt('3'))).toBe('0.33333333333333333333');
    expect(idr('2').ratePerUnitRoundedHalfUp(usdt('3'))).toBe('0.66666666666666666667');
  });

  it('is not needed for a percentage', () => {
    expect(idr('10').percent('0.5')).toEqual(idr('0.05'));
    expect(idr('0.000000000000000001').percent('1')).toEqual(idr('0.00000000000000000001'));
  });
});

describe('money', () => {
  it('keeps the decimals that it was written with', () => {
    expect(idr('10.50')).toMatchObject({ amount: '10.50', currency: 'IDR' });
    expect(idr('10.50').decimals()).toBe(2);
  });

  it.each(['', ' 1', '+1', '.5', '5.', '1e3', '1,5', 'NaN', 'Infinity', '١', '1.2.3', '--1'])(
    'is not made of "%s"',
    (text) => {
      expect(() => idr(text)).toThrow(InvariantBroken);
    },
  );

  it('is never made of a binary number', () => {
    expect(() => Money.zero('IDR').percent(JSON.parse('0.1'))).toThrow(TypeError);
  });

  it('is multiplied only by whole counts', () => {
    expect(idr('0.1').times(3)).toEqual(idr('0.3'));
    expect(() => idr('0.1').times(1.5)).toThrow(InvariantBroken);
    expect(() => idr('0.1').shareRoundedDown({ part: 0.5, whole: 1 }, 2)).toThrow(InvariantBroken);
  });

  it('is written in minor units and back', () => {
    fc.assert(
      fc.property(positiveUnits, decimals, (minor, digits) => {
        expect(Money.fromMinorUnits(minor, 'IDR', digits).inMinorUnits(digits)).toBe(minor);
      }),
    );
    expect(() => idr('1.234').inMinorUnits(2)).toThrow(InvariantBroken);
  });
});
