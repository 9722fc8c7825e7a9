import { describe, expect, it } from 'vitest';
import { viewOfCheckout } from '../../../../functions/payment-service/checkout-page/checkout-view.ts';
import { accountOf } from '../../../../functions/payment-service/domain/account.ts';
import type { Checkout, CheckoutRequest } from '../../../../functions/payment-service/domain/deposits/checkout.ts';
import { checkoutOffers } from '../../../../functions/payment-service/domain/deposits/checkout.ts';
import type { Deposit } from '../../../../functions/payment-service/domain/deposits/deposit.ts';
import { Money } from '../../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../../functions/payment-service/domain/refused.ts';
import type { CheckoutState } from '../../../../functions/payment-service/store/deposits/checkouts.ts';

const rupiah = (amount: string): Money => Money.of(amount, 'IDR');

const account = accountOf(
  { clientId: 'kopi', organizationName: 'Kopi', checkout: true, depositMethods: 'all', conversions: 'all' },
  0,
);
const now = new Date('2026-11-21T06:00:58.500Z');

const checkoutOf = (request: CheckoutRequest): Checkout => ({
  ...request,
  checkoutId: `chk_${'a'.repeat(32)}`,
  account,
  createdAt: '2026-11-21T06:00:00.000Z',
  expiresAt: '2026-11-21T06:15:00.000Z',
});

const checkout = checkoutOf({ inputCurrency: 'IDR', inputAmount: rupiah('150000'), outputCurrency: 'IDR' });

const deposit: Deposit = {
  depositId: checkout.checkoutId,
  accountId: 'kopi',
  depositType: 'fiat',
  input: rupiah('150000'),
  fee: rupiah('1050'),
  feePercentage: '0.7',
  output: rupiah('148950'),
  paymentMethod: 'QRIS',
  outcome: 'standard',
  status: 'pending',
  changes: [],
  version: 0,
  createdAt: '2026-11-21T06:00:30.000Z',
  updatedAt: '2026-11-21T06:00:40.000Z',
  expiredAt: '2026-11-21T06:15:00.000Z',
  listNumber: 1,
  changeNumber: 1,
};

const qris = { paymentMethod: 'QRIS', name: 'QRIS', kind: 'qris', fee: rupiah('1050'), total: rupiah('150000') };
const viewed = (found: CheckoutState, at = now) => viewOfCheckout(found, at, true);

const opened = (request: CheckoutRequest): CheckoutState => {
  const offers = checkoutOffers(
    { rates: { 'usdt-tron/IDR': '16000' }, conversionFeePercentage: '0.5', account: account.terms },
    request,
  );
  return { kind: 'open', checkout: checkoutOf(request), offers: offers instanceof Refused ? [] : offers };
};

describe('before a method is picked', () => {
  it('each method is offered with its fee and its total', () => {
    expect(viewed(opened(checkout))).toMatchObject({
      state: 'choosing',
      merchantName: 'Kopi',
      offers: expect.arrayContaining([
        qris,
        { paymentMethod: 'BCA', name: 'Bank Central Asia', kind: 'va', fee: rupiah('4000'), total: rupiah('150000') },
      ]),
    });
  });

  it.each<[string, CheckoutRequest, string]>([
    ['the input amount', { inputCurrency: 'IDR', inputAmount: rupiah('150000'), outputCurrency: 'IDR' }, '150000'],
    ['the output amount', { inputCurrency: 'IDR', outputAmount: rupiah('146000'), outputCurrency: 'IDR' }, '146000'],
    [
      'the amount needed for a converted output',
      { inputCurrency: 'IDR', outputAmount: Money.of('10', 'usdt-tron'), outputCurrency: 'usdt-tron' },
      '160804.02',
    ],
  ])('the page asks for %s', (_, request, amount) => {
    expect(viewed(opened(request))).toMatchObject({ state: 'choosing', amount: rupiah(amount) });
  });

  it('there can be no offer, when a rate has moved, and the page then shows the output amount', () => {
    const request = { inputCurrency: 'IDR', outputAmount: Money.of('10', 'usdt-tron'), outputCurrency: 'usdt-tron' };
    expect(viewed({ kind: 'open', checkout: checkoutOf(request), offers: [] })).toMatchObject({
      state: 'choosing',
      amount: request.outputAmount,
      offers: [],
    });
  });
});

describe('a picked method', () => {
  const picked = (change: Partial<Deposit>) => viewed({ kind: 'picked', checkout, deposit: { ...deposit, ...change } });

  it('has instructions until it is paid', () => {
    expect(picked({})).toMatchObject({
      state: 'awaiting_payment',
      picked: qris,
      instructions: { accountName: 'Kopi', qrData: expect.any(String) },
    });
  });

  it('is shown as paid, with the time, or as expired', () => {
    expect(picked({ status: 'completed', paidAt: '2026-11-21T06:05:00.000Z' })).toMatchObject({
      state: 'completed',
      picked: qris,
      paidAt: '2026-11-21T06:05:00.000Z',
    });
    expect(picked({ status: 'expired' })).toMatchObject({ state: 'expired', picked: qris });
  });
});

it('a checkout without a method expires without a warning', () => {
  const view = viewed({ kind: 'abandoned', checkout });
  expect(view).toMatchObject({ state: 'expired', picked: undefined });
});

it('description and link back are the merchant’s', () => {
  const given = { description: 'Two bags of coffee', returnUrl: 'https://kopi.example/' };
  expect(viewed({ kind: 'picked', checkout: { ...checkout, ...given }, deposit })).toMatchObject(given);
  expect(viewed({ kind: 'picked', checkout, deposit })).toMatchObject({ description: undefined, returnUrl: undefined });
});

it.each([
  ['2026-11-21T06:00:58.500Z', 842],
  ['2026-11-21T06:14:59.999Z', 1],
  ['2026-11-21T06:15:00.000Z', 0],
  ['2026-11-22T06:15:00.000Z', 0],
])('whole seconds are left by the service’s clock: at %s, %i', (at, secondsLeft) => {
  expect(viewed({ kind: 'picked', checkout, deposit }, new Date(at)).secondsLeft).toBe(secondsLeft);
});
