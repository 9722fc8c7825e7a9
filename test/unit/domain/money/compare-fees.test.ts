import { describe, expect, it } from 'vitest';
import { compareFees } from '../../../../functions/domain/money/fees.ts';
import { Money } from '../../../../functions/domain/money/money.ts';
import { currencyPlan, idr, tally } from '../../../support/money.ts';
import { exampleBatch, examplePlan, exampleProgress } from '../../../support/scenes/example-batch.ts';

const planned = { rail: 'fiat', count: 3, amount: '3', largestAmount: '1', methods: [] } as const;
const plan = examplePlan('b-1', 1, [
  currencyPlan({ ...planned, currency: 'USD', fee: '100.00' }),
  currencyPlan({ ...planned, currency: 'IDR', fee: '7' }),
]);
const of = (fee: string) => tally(1, '1', fee, 'USD');
const usd = (amount: string) => Money.of(amount, 'USD');

const compare = (
  tallies: Parameters<typeof exampleProgress>[1]['tallies'],
  { estimated = '100.00', tolerated = '10' } = {},
) => {
  const fees = [{ rail: 'fiat', fee: usd(estimated), source: 'payment_methods' }] as const;
  const progress = exampleProgress('b-1', { currency: 'USD', tallies: tallies ?? {} });
  return compareFees(exampleBatch('b-1', { plan, fees }), progress, { feeTolerancePercent: tolerated });
};

describe('charged fees', () => {
  it.each([
    ['as estimated', { completed: of('100') }, {}, false],
    ['less', { completed: of('1') }, {}, false],
    ['exactly the tolerance', { completed: of('110') }, {}, false],
    ['a hair more than is tolerated', { completed: of('110.0000000000000000001') }, {}, true],
    [
      'more digits than a double distinguishes',
      { completed: of('10000000000000000.01') },
      { estimated: '10000000000000000', tolerated: '0' },
      true,
    ],
    ['too much for payouts in progress', { pending: of('60'), on_hold: of('60') }, {}, true],
    ['too much, and given back', { failed: of('500'), rejected: of('500'), canceled: of('500') }, {}, false],
    ['anything without an estimate', { completed: of('0.01') }, { estimated: '0' }, true],
    ['nothing without an estimate', { completed: of('0') }, { estimated: '0' }, false],
    ['twenty times as much, which is tolerated', { completed: of('2000') }, { tolerated: '1900' }, false],
  ])('%s', (_, tallies, changes, isBeyond) => {
    expect(compare(tallies, changes)[0]?.isBeyond).toBe(isBeyond);
  });

  it('are compared within one currency, with the plan if no estimate was recorded', () => {
    expect(compare({ completed: of('300') })).toEqual([
      { rail: 'fiat', currency: 'USD', estimated: usd('100.00'), charged: usd('300'), isBeyond: true },
      { rail: 'fiat', currency: 'IDR', estimated: idr('7'), charged: idr('0'), isBeyond: false },
    ]);
  });
});
