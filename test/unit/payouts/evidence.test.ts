import { describe, expect, it } from 'vitest';
import { Money } from '../../../functions/domain/money/money.ts';
import { describeEvidence, findDifference, shownBy, weigh } from '../../../functions/payouts/evidence.ts';
import type { Disbursement } from '../../../functions/ports/provider.ts';
import { idr } from '../../support/money.ts';
import { disbursement, payout, withoutId } from './example.ts';

const { reference: _, ...unnamed } = disbursement;
const { destinationHash: __, ...withoutDestination } = disbursement;

describe('the first difference', () => {
  it.each<[string, Disbursement, string | undefined]>([
    ['nothing, however the amount is written', disbursement, undefined],
    ['a destination missing from the answer', withoutDestination, undefined],
    ['a missing reference, since its id is known', unnamed, undefined],
    ['another id', { ...disbursement, disbursementId: 'd-8' }, 'another_disbursement'],
    ['another reference', { ...disbursement, reference: 'r-8' }, 'reference_differs'],
    ['another currency', { ...disbursement, amount: Money.of('150000.5', 'PHP') }, 'currency_differs'],
    ['another rail', { ...disbursement, rail: 'crypto' }, 'currency_differs'],
    ['an amount that differs by a cent', { ...disbursement, amount: idr('150000.51') }, 'amount_differs'],
    [
      'nothing, when an older version registered the payout',
      { ...disbursement, destinationHash: 'another', formerHash: payout.destinationHash },
      undefined,
    ],
    [
      'another destination',
      { ...disbursement, formerHash: 'former', destinationHash: 'another' },
      'destination_differs',
    ],
    [
      'another destination without a former hash',
      { ...disbursement, destinationHash: 'another' },
      'destination_differs',
    ],
  ])('is %s', (_name, shown, code) => {
    expect(findDifference(payout, shown)).toBe(code);
  });

  it('is the missing reference, unless the id is known', () => {
    expect(findDifference(withoutId('unknown'), unnamed)).toBe('reference_differs');
    expect(findDifference(withoutId('unknown'), disbursement)).toBeUndefined();
  });
});

describe('weighing the provider’s answer', () => {
  const second = { ...disbursement, disbursementId: 'd-8' };
  const differing = { ...disbursement, amount: idr('1') };
  const lost = withoutId('unknown');

  it.each([
    ['nothing', payout, [], undefined, { kind: 'absent' }],
    ['its own', payout, [disbursement], undefined, { kind: 'fits', disbursement, others: [] }],
    ['its own, shown twice', payout, [disbursement, disbursement], undefined, { kind: 'fits', others: [] }],
    [
      'its own and another',
      payout,
      [second, disbursement],
      undefined,
      { kind: 'fits', disbursement, others: [second] },
    ],
    ['its own, which differs', payout, [differing], undefined, { kind: 'differs', code: 'amount_differs' }],
    ['another one alone', payout, [second], undefined, { kind: 'differs', code: 'another_disbursement' }],
    ['one, of one in doubt', lost, [second], undefined, { kind: 'fits', disbursement: second }],
    [
      'two, of one in doubt',
      lost,
      [second, disbursement],
      undefined,
      { kind: 'several', fitting: [disbursement, second] },
    ],
    ['two, of which one fits', lost, [second, differing], undefined, { kind: 'several', fitting: [second] }],
    ['two, of which a person names one', lost, [second, disbursement], 'd-8', { kind: 'fits', disbursement: second }],
  ] as const)('%s', (_name, of, shown, named, expected) => {
    expect(weigh(of, shown, named)).toMatchObject(expected);
  });

  it('does not depend on the order', () => {
    expect(weigh(lost, [second, disbursement])).toEqual(weigh(lost, [disbursement, second]));
  });
});

describe('evidence', () => {
  const others = [{ ...disbursement, disbursementId: 'd-8', status: 'failed' } as const];
  it.each([
    [{ kind: 'fits', disbursement, others }, ['d-7', 'd-8'], 'd-7 is completed, d-8 is failed'],
    [
      { kind: 'differs', disbursement, others, code: 'amount_differs' },
      ['d-7', 'd-8'],
      'd-7 is completed (amount_differs), d-8 is failed',
    ],
    [
      { kind: 'several', disbursements: [disbursement, ...others], fitting: [] },
      ['d-7', 'd-8'],
      'd-7 is completed, d-8 is failed',
    ],
    [{ kind: 'absent' }, [], 'absent'],
    [{ kind: 'unknown', cause: 'status_503', isRefused: false }, [], 'not asked: status_503'],
  ] as const)('%o shows these, with this text', (evidence, ids, words) => {
    expect(shownBy(evidence).map(({ disbursementId }) => disbursementId)).toEqual(ids);
    expect(describeEvidence(evidence)).toBe(words);
  });
});
