import { describe, expect, it } from 'vitest';
import type { ControlTotalsInText } from '../../../../functions/domain/money/money-records.ts';
import { controlTotalsOfText } from '../../../../functions/domain/money/money-records.ts';
import { controlDifferences } from '../../../../functions/domain/payout-file/control-totals.ts';
import { currencyPlan } from '../../../support/money.ts';

const currency = (rail: 'fiat' | 'crypto', code: string, amount: string) =>
  currencyPlan({ rail, currency: code, count: 1, amount, fee: '0', largestAmount: amount, methods: [] });

const plan = { rows: 3, currencies: [currency('fiat', 'IDR', '1000'), currency('crypto', 'usdt-tron', '2.5')] };

const cases: readonly [name: string, expected: ControlTotalsInText, differences: readonly string[]][] = [
  ['nothing is expected', {}, []],
  ['all of it fits', { rows: 3, sums: { IDR: '1000', 'usdt-tron': '2.5' } }, []],
  ['zeros say nothing', { sums: { IDR: '01000.00', 'usdt-tron': '2.500000' } }, []],
  ['none of a currency is expected, and there is none', { sums: { IDR: '1000', 'usdt-tron': '2.5', THB: '0' } }, []],
  ['rows differ', { rows: 4 }, ['Rows: expected 4, found 3.']],
  [
    'a sum differs by its last digit',
    { sums: { IDR: '1000.01', 'usdt-tron': '2.5' } },
    ['IDR: expected 1000.01, found 1000.'],
  ],
  [
    'a sum is beyond binary floating point',
    { sums: { IDR: '1000.000000000000000000000001', 'usdt-tron': '2.5' } },
    ['IDR: expected 1000.000000000000000000000001, found 1000.'],
  ],
  ['a currency of the file is not named', { sums: { IDR: '1000' } }, ['usdt-tron: expected 0, found 2.5.']],
  [
    'a currency is not in the file',
    { sums: { IDR: '1000', 'usdt-tron': '2.5', THB: '9' } },
    ['THB: expected 9, found 0.'],
  ],
  [
    'letter case differs',
    { sums: { idr: '1000', 'usdt-tron': '2.5' } },
    ['idr: expected 1000, found 0.', 'IDR: expected 0, found 1000.'],
  ],
  [
    'everything differs',
    { rows: 0, sums: {} },
    ['Rows: expected 0, found 3.', 'IDR: expected 0, found 1000.', 'usdt-tron: expected 0, found 2.5.'],
  ],
];

describe('control totals', () => {
  it.each(cases)('when %s', (_name, expected, differences) => {
    expect(controlDifferences(controlTotalsOfText(expected), plan)).toEqual(differences);
  });
});
