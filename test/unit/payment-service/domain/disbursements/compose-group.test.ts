import { describe, expect, it } from 'vitest';
import type {
  CryptoItem,
  FiatItem,
} from '../../../../../functions/payment-service/domain/disbursements/compose-group.ts';
import {
  composeCryptoGroup,
  composeFiatGroup,
  composeFiatGroups,
} from '../../../../../functions/payment-service/domain/disbursements/compose-group.ts';
import { recipientAccount } from '../../../../../functions/payment-service/domain/disbursements/sandbox-recipients.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../../../functions/payment-service/domain/refused.ts';

const rupiah = (amount: string): Money => Money.of(amount, 'IDR');
const terms = { sandbox: true, batchSizeLimit: 100 };
const bank = { bankName: 'Bank Central Asia', accountName: 'Ana', accountNumber: '0012345678', bankCode: 'BCA' };
const fiatItem: FiatItem = { recipient: { bank }, amount: '10000' };
/** With a different last letter. */
const misspelt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u';
const cryptoItem: CryptoItem = { receiverWalletAddress: `0x${'ab'.repeat(20)}`, amount: '10' };

describe('a fiat POST', () => {
  it('is priced item by item with the fee of its bank', () => {
    const eWallet = { ...bank, bankCode: 'GOPAY' };
    const composed = composeFiatGroup(terms, 'IDR', [
      { ...fiatItem, amount: '10000.50' },
      { recipient: { bank: eWallet }, amount: '10000.99' },
    ]);
    expect(composed).toMatchObject({
      rail: 'fiat',
      currency: 'IDR',
      items: [
        { amount: rupiah('10000.5'), fee: rupiah('4000'), feePercentage: '0', outcome: 'standard' },
        { amount: rupiah('10000.99'), fee: rupiah('2550'), feePercentage: '0.5', outcome: 'standard' },
      ],
    });
  });

  it.each<[string, string, readonly FiatItem[], string]>([
    ['no items', 'IDR', [], 'at least one'],
    ['too many items', 'IDR', Array.from({ length: 101 }, () => fiatItem), 'at most 100'],
    ['an unknown currency', 'XXX', [fiatItem], 'currency'],
    ['a token for a currency', 'usdt-tron', [fiatItem], 'currency'],
    [
      'an unknown bank',
      'IDR',
      [{ ...fiatItem, recipient: { bank: { ...bank, bankCode: 'NONE' } } }],
      'Payment method not found',
    ],
    ['a bank of another currency', 'PHP', [fiatItem], 'Payment method not found'],
    ['an unknown recipient', 'IDR', [{ recipientId: 'rcp_unknown1', amount: '10000' }], 'Recipient not found'],
    ['a malformed recipient id', 'IDR', [{ recipientId: 'someone', amount: '10000' }], 'Recipient not found'],
    ['two recipients', 'IDR', [{ ...fiatItem, recipientId: 'rcp_anna' }], 'exactly one'],
    ['no recipient', 'IDR', [{ amount: '10000' }], 'exactly one'],
    ['too many decimals', 'IDR', [{ ...fiatItem, amount: '10000.001' }], '2 decimals'],
    ['an amount below the minimum', 'IDR', [{ ...fiatItem, amount: '9999.99' }], 'between 10000 and 500000000'],
    ['an amount above the maximum', 'IDR', [{ ...fiatItem, amount: '500000000.01' }], 'between'],
    [
      'a repeated reference',
      'IDR',
      [
        { ...fiatItem, reference: 'a' },
        { ...fiatItem, reference: 'a' },
      ],
      'reference a',
    ],
  ])('with %s is refused as a whole', (_, currency, items, message) => {
    expect(composeFiatGroup(terms, currency, items)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('accepts the limits themselves', () => {
    const composed = composeFiatGroup(terms, 'IDR', [fiatItem, { ...fiatItem, amount: '500000000' }]);
    expect(composed).not.toBeInstanceOf(Refused);
  });

  it('has no invented recipients and no magic values outside a sandbox', () => {
    const real = { ...terms, sandbox: false };
    expect(composeFiatGroup(real, 'IDR', [{ recipientId: 'rcp_anna', amount: '10000' }])).toBeInstanceOf(Refused);
    const magic = { ...fiatItem, recipient: { bank: { ...bank, accountNumber: '00129901' } } };
    expect(composeFiatGroup(real, 'IDR', [magic])).toMatchObject({ items: [{ outcome: 'standard' }] });
  });
});

describe('a fiat POST in several currencies', () => {
  const item = (currency: string, amount: string, reference?: string) => ({
    currency,
    recipientId: 'rcp_anna',
    amount,
    reference,
  });

  it('becomes one group per currency, and every disbursement knows its position', () => {
    expect(
      composeFiatGroups(terms, [item('THB', '100'), item('PHP', '200'), item('THB', '300'), item('IDR', '10000')]),
    ).toMatchObject({
      groups: [
        {
          rail: 'fiat',
          currency: 'THB',
          items: [{ amount: Money.of('100', 'THB') }, { amount: Money.of('300', 'THB') }],
        },
        { rail: 'fiat', currency: 'PHP', items: [{ amount: Money.of('200', 'PHP') }] },
        { rail: 'fiat', currency: 'IDR', items: [{ amount: rupiah('10000') }] },
      ],
      places: [0, 2, 1, 3],
    });
  });

  it.each([
    ['no items', [], 'at least one'],
    ['too many items in all', Array.from({ length: 101 }, (_, index) => item(index % 2 ? 'THB' : 'PHP', '100')), '100'],
    ['an unknown currency', [item('PHP', '100'), item('XXX', '100')], 'disburseData[1].currency is not supported'],
    ['one reference in two currencies', [item('PHP', '100', 'a'), item('THB', '100', 'a')], 'reference a'],
    ['a later item that is wrong', [item('PHP', '100'), item('THB', '1'), item('PHP', '1')], 'disburseData[1].amount'],
  ])('with %s is refused as a whole', (_, items, message) => {
    expect(composeFiatGroups(terms, items)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });
});

describe('a crypto POST', () => {
  it('is priced by its token', () => {
    const composed = composeCryptoGroup(terms, 'usdc-polygon', [{ ...cryptoItem, amount: '10.000001' }]);
    expect(composed).toMatchObject({
      rail: 'crypto',
      items: [{ amount: Money.of('10.000001', 'usdc-polygon'), fee: Money.of('0.11', 'usdc-polygon') }],
    });
  });

  it.each<[string, string, readonly CryptoItem[], string]>([
    ['an unknown token', 'doge-doge', [cryptoItem], 'Crypto not found'],
    ['a token for deposits only', 'usdc-stellar', [cryptoItem], 'Payment method not found'],
    ['an address of another network', 'usdt-tron', [cryptoItem], 'tron'],
    ['a wrong checksum', 'usdt-tron', [{ ...cryptoItem, receiverWalletAddress: misspelt }], 'tron'],
    ['more decimals than the token has', 'usdc-polygon', [{ ...cryptoItem, amount: '1.0000001' }], '6 decimals'],
    ['an amount below the minimum', 'usdc-polygon', [{ ...cryptoItem, amount: '0.5' }], 'between'],
  ])('with %s is refused', (_, token, items, message) => {
    expect(composeCryptoGroup(terms, token, items)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('keeps 18 decimals', () => {
    const composed = composeCryptoGroup(terms, 'eth-ethereum', [{ ...cryptoItem, amount: '1.000000000000000001' }]);
    expect(composed).toMatchObject({
      items: [{ amount: Money.of('1.000000000000000001', 'eth-ethereum'), fee: Money.of('0.0018', 'eth-ethereum') }],
    });
  });
});

it('a recipient id always means the same account, at a bank of the currency', () => {
  const first = recipientAccount('rcp_anna', 'IDR');
  expect(first).toEqual(recipientAccount('rcp_anna', 'IDR'));
  expect(first).toMatchObject({ accountNumber: expect.stringMatching(/^\d{10}00$/) });
  expect(recipientAccount('rcp_anna', 'XXX')).toBeUndefined();
});
