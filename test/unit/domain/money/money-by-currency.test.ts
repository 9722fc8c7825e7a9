import { describe, expect, it } from 'vitest';
import { Money } from '../../../../functions/domain/money/money.ts';
import {
  moneyIn,
  moneyInText,
  moneyOfText,
  sumByCurrency,
} from '../../../../functions/domain/money/money-by-currency.ts';
import { idr, thb } from '../../../support/money.ts';

describe('money by currency', () => {
  const sums = sumByCurrency([idr('1'), thb('2'), idr('3.50')]);

  it('is a sum for each currency', () => {
    expect([...sums.values()]).toEqual([idr('4.5'), thb('2')]);
  });

  it('is zero in a currency that is absent', () => {
    expect(moneyIn(sums, 'IDR')).toEqual(idr('4.5'));
    expect(moneyIn(sums, 'VND')).toEqual(Money.zero('VND'));
  });

  it('is the same when it is read from its text', () => {
    expect(moneyInText(sums)).toEqual({ IDR: '4.5', THB: '2' });
    expect(moneyOfText(moneyInText(sums))).toEqual(sums);
  });
});
