import { describe, expect, it } from 'vitest';
import type { CheckoutRequest } from '../../../../../functions/payment-service/domain/deposits/checkout.ts';
import {
  checkoutIdFrom,
  checkoutOffers,
  draftOfOffer,
  isCheckoutId,
} from '../../../../../functions/payment-service/domain/deposits/checkout.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../../../functions/payment-service/domain/refused.ts';

const pesos = (amount: string): Money => Money.of(amount, 'PHP');
const account = { checkout: true, depositMethods: 'all', conversions: 'all' } as const;
const offers = (change: Partial<CheckoutRequest>, enabled: object = {}) =>
  checkoutOffers(
    { rates: {}, conversionFeePercentage: '0.5', account: { ...account, ...enabled } },
    { inputCurrency: 'PHP', outputCurrency: 'PHP', ...change },
  );
const codes = (change: Partial<CheckoutRequest>, enabled: object = {}) => {
  const outcome = offers(change, enabled);
  return outcome instanceof Refused ? outcome.message : outcome.map(({ method }) => method.bankCode);
};

describe('the offers of a checkout', () => {
  it.each([
    ['an input amount within all limits', { inputAmount: pesos('1000') }, ['BDO', 'UBP', 'QRPH', 'GCASH', 'MAYA']],
    ['an input amount over some limits', { inputAmount: pesos('60000') }, ['BDO', 'UBP', 'GCASH', 'MAYA']],
    ['an input amount under some limits', { inputAmount: pesos('49.99') }, ['QRPH', 'GCASH', 'MAYA']],
    ['exactly a limit', { inputAmount: pesos('50000') }, ['BDO', 'UBP', 'QRPH', 'GCASH', 'MAYA']],
    ['an output amount whose fee exceeds a limit', { outputAmount: pesos('49600') }, ['BDO', 'UBP', 'GCASH', 'MAYA']],
    [
      'an output amount whose fee reaches a limit',
      { outputAmount: pesos('49') },
      ['BDO', 'UBP', 'GCASH', 'MAYA', 'QRPH'],
    ],
    [
      'both amounts, far enough apart',
      { inputAmount: pesos('1000'), outputAmount: pesos('985') },
      ['BDO', 'UBP', 'QRPH'],
    ],
    ['both amounts, closer together', { inputAmount: pesos('1000'), outputAmount: pesos('990') }, ['QRPH']],
    [
      'tokens as output',
      { outputAmount: Money.of('10', 'usdt-tron'), outputCurrency: 'usdt-tron' },
      ['BDO', 'UBP', 'QRPH', 'GCASH', 'MAYA'],
    ],
    [
      'another fiat currency',
      { outputAmount: Money.of('100', 'THB'), outputCurrency: 'THB' },
      ['BDO', 'UBP', 'QRPH', 'GCASH', 'MAYA'],
    ],
  ])('for %s', (_, change, expected) => {
    expect([...codes(change)].toSorted()).toEqual([...expected].toSorted());
  });

  it('are only those that the account has enabled', () => {
    expect(codes({ inputAmount: pesos('1000') }, { depositMethods: ['GCASH', 'BCA'] })).toEqual(['GCASH']);
  });

  it.each([
    ['no amount', {}, {}, 'at least one of inputAmount and outputAmount is required'],
    ['an unknown input', { inputCurrency: 'XXX' }, {}, 'inputCurrency is not a supported fiat currency'],
    [
      'a conversion that is not enabled',
      { inputAmount: pesos('1000'), outputCurrency: 'usdt-tron' },
      { conversions: ['usdt-tron/THB'] },
      'conversion is not enabled for this pair of currencies',
    ],
    [
      'an input over all limits',
      { inputAmount: pesos('2000000.01') },
      {},
      'inputAmount is outside the limits of every enabled payment method',
    ],
    [
      'an output within all limits, but not with its fee',
      { outputAmount: pesos('2000000') },
      {},
      'the amount to pay, fees included, is outside the limits of every enabled payment method',
    ],
    [
      'both amounts, too close for the fees',
      { inputAmount: pesos('1000'), outputAmount: pesos('990.01') },
      {},
      'inputAmount leaves less than outputAmount after fees, by every payment method that takes it',
    ],
    [
      'no enabled method',
      { inputAmount: pesos('1000') },
      { depositMethods: [] },
      'no payment method is enabled for inputCurrency',
    ],
    ['too many decimals paid', { inputAmount: pesos('1.001') }, {}, 'inputAmount has more than 2 decimals'],
    ['too many decimals wanted', { outputAmount: pesos('1.001') }, {}, 'outputAmount has more than 2 decimals'],
    [
      'too many decimals of a token',
      { outputAmount: Money.of('1.0000001', 'usdt-tron'), outputCurrency: 'usdt-tron' },
      {},
      'outputAmount has more than 6 decimals',
    ],
  ])('are refused for %s', (_, change, enabled, message) => {
    expect(codes(change, enabled)).toBe(message);
  });

  it('charge the amount that leaves the output amount after the method’s fee', () => {
    const outcome = offers({ outputAmount: pesos('1000') });
    const paid = outcome instanceof Refused ? [] : outcome.map(({ price }) => [price.input.amount, price.fee.amount]);
    expect(paid).toEqual([
      ['1015', '15'],
      ['1015', '15'],
      ['1010.1', '10.1'],
      ['1020.41', '20.41'],
      ['1020.41', '20.41'],
    ]);
  });

  it('become a deposit by the chosen method', () => {
    const outcome = offers({ inputAmount: pesos('1000') });
    const [first] = outcome instanceof Refused ? [] : outcome;
    expect(first && draftOfOffer(first)).toMatchObject({
      depositType: 'fiat',
      paymentMethod: 'BDO',
      input: pesos('1000'),
      output: pesos('985'),
      outcome: 'standard',
    });
  });
});

it.each([
  [checkoutIdFrom('0123456789abcdef0123456789abcdef'), true],
  ['chk_0123456789abcdef0123456789abcde', false],
  ['dep_0123456789abcdef01234567', false],
  ['', false],
])('%s is a checkout id: %s', (text, expected) => {
  expect(isCheckoutId(text)).toBe(expected);
});
