import { expect, it } from 'vitest';
import { InvariantBroken } from '../../../../functions/domain/errors.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import { inText } from '../../../../functions/domain/money/money-records.ts';

it('writes every sum of money in a record as its amount, and keeps everything else', () => {
  const record = {
    count: 2,
    fee: Money.of('1.50', 'USD'),
    of: [{ most: Money.of('3', 'IDR'), paid: true }],
    none: undefined,
  };
  expect(inText(record)).toEqual({ count: 2, fee: '1.50', of: [{ most: '3', paid: true }], none: undefined });
});

it.each([[new Set(['a'])], [new Map()], [new Uint8Array(2)], [new Date(0)]])(
  'refuses %o, which it cannot write',
  (value) => {
    expect(() => inText({ value })).toThrow(InvariantBroken);
  },
);
