import { describe, expect, it } from 'vitest';
import {
  depositAt,
  depositIn,
  fiatPath,
  postCryptoDeposit,
  postFiatDeposit,
} from '../../support/payment-service/deposits/deposits.ts';
import { credentialsOf, envelopeOf, getSigned, send } from '../../support/payment-service/merchant.ts';
import { uniqueWord } from '../../support/payment-service/unique-word.ts';

const second = credentialsOf('sandbox-second');
const basic = credentialsOf('sandbox-basic');

describe('POST /v1/deposit/fiat', () => {
  it('answers 201 with the record, and detail shows the same by id and by reference', async () => {
    const reference = uniqueWord();
    const answer = await envelopeOf(postFiatDeposit({ reference, note: 'order 7' }));
    expect(answer).toMatchObject({ statusCode: 201, message: 'Fiat deposit created' });
    expect(answer['data']).toEqual({
      depositId: expect.stringMatching(/^dep_[0-9a-f]{24}$/),
      depositType: 'fiat',
      userId: expect.any(String),
      inputCurrency: 'PHP',
      inputAmount: 1000,
      outputCurrency: 'PHP',
      outputAmount: 985,
      fee: { amount: 15, percentage: 0, currency: 'PHP' },
      paymentFiat: {
        bankName: 'BDO Unibank',
        bankCode: 'BDO',
        accountName: 'Sandbox Merchant',
        accountNumber: expect.stringMatching(/^\d{12}$/),
        paymentReference: expect.any(String),
      },
      status: 'pending',
      activityHistory: [
        {
          activity: 'Deposit created',
          status: 'pending',
          description: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      reference,
      note: 'order 7',
      expiredAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { depositId } = await depositAt(fiatPath(reference));
    expect(await envelopeOf(getSigned(fiatPath(depositId)))).toEqual({
      statusCode: 200,
      message: 'Fiat deposit',
      data: answer['data'],
      requestId: expect.any(String),
      timestamp: expect.any(String),
    });
  });

  it('keeps a note as it was sent', async () => {
    for (const note of ['  line 1\n\tline 2 ', ''])
      expect((await depositIn(postFiatDeposit({ note })))['note']).toBe(note);
  });

  it.each([
    ['va', { inputCurrency: 'IDR', outputCurrency: 'IDR', inputAmount: 50_000, paymentMethod: 'BCA' }, 'accountNumber'],
    [
      'bank_transfer',
      { inputCurrency: 'USD', outputCurrency: 'USD', inputAmount: 50, paymentMethod: 'CHASUS33' },
      'routingNumber',
    ],
    ['qris', { paymentMethod: 'QRPH' }, 'qrData'],
    ['ewallet', { paymentMethod: 'GCASH' }, 'checkoutUrl'],
  ])('fills in the instructions for %s', async (_, fields, filled) => {
    const deposit = await depositIn(postFiatDeposit(fields));
    expect(deposit['paymentFiat']).toHaveProperty(filled);
  });

  it('converts into tokens at the current rate, and shows the rate', async () => {
    const deposit = await depositIn(
      postFiatDeposit({
        outputCurrency: 'usdt-tron',
        balanceType: 'crypto',
        inputAmount: undefined,
        outputAmount: { crypto: 10 },
      }),
    );
    expect(deposit).toMatchObject({
      outputCurrency: 'usdt-tron',
      outputAmount: 10.000073,
      inputAmount: 602.14,
      exchangeInfo: { exchangeRate: 58.42, outputCurrency: 'usdt-tron', outputAmount: 10.000073 },
    });
  });

  it.each([
    ['an unknown method', { paymentMethod: 'NOBANK' }, 'Payment method not found'],
    [
      'no amount',
      { inputAmount: undefined },
      'exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required',
    ],
    [
      'an amount over the limit',
      { inputAmount: 2_000_001 },
      'the amount to pay must be between 50 and 2000000, and it is 2000001',
    ],
    ['a negative amount', { inputAmount: -1 }, 'inputAmount: must be a positive number'],
    ['an unknown quote', { quoteId: 'quo_0' }, 'Quote not found'],
    ['no output currency', { outputCurrency: undefined }, 'outputCurrency: must be a text'],
    ['an invalid balance type', { balanceType: 'gold' }, 'balanceType: must be one of fiat, crypto'],
    ['text that is not JSON', undefined, 'the body is not JSON'],
  ])('refuses %s', async (_, fields, message) => {
    const answer = fields === undefined ? send('POST', '/v1/deposit/fiat', '{') : postFiatDeposit(fields);
    expect(await envelopeOf(answer)).toMatchObject({ statusCode: 400, message });
  });

  it('accepts only enabled methods and pairs', async () => {
    expect(await envelopeOf(postFiatDeposit({}, basic))).toMatchObject({
      statusCode: 400,
      message: 'Payment method not found',
    });
    expect(await envelopeOf(postCryptoDeposit({ outputCurrency: 'THB' }, basic))).toMatchObject({ statusCode: 400 });
  });
});

describe('POST /v1/deposit/crypto', () => {
  it('gives each deposit its own address', async () => {
    const [one, other] = [await depositIn(postCryptoDeposit()), await depositIn(postCryptoDeposit())];
    expect(one).toMatchObject({
      depositType: 'crypto',
      inputCurrency: 'usdc-polygon',
      outputCurrency: 'usdc-polygon',
      outputAmount: 19.95,
      status: 'pending',
      paymentCrypto: { network: 'polygon', payoutWallet: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
    });
    expect(one['paymentCrypto']).not.toEqual(other['paymentCrypto']);
    expect(one).not.toHaveProperty('exchangeInfo');
    expect(one).not.toHaveProperty('paymentFiat');
  });

  it('gives a memo on a network that uses one', async () => {
    const deposit = await depositIn(postCryptoDeposit({ inputCurrency: 'usdc-stellar' }));
    expect(deposit['paymentCrypto']).toEqual({
      network: 'stellar',
      payoutWallet: expect.stringMatching(/^G[A-Z2-7]{55}$/),
      memo: expect.stringMatching(/^\d{10}$/),
    });
  });

  it('converts into fiat at the rate of a quote, if it names one, and uses the quote up', async () => {
    const query = 'inputCurrency=usdc-polygon&outputCurrency=THB&inputAmount=20&markupRatePercentage=50';
    const quoted = await envelopeOf(getSigned(`/v1/convert/estimate?${query}`));
    const { quoteId } = Object(quoted['data']);
    const fields = { outputCurrency: 'THB', quoteId };
    expect(await depositIn(postCryptoDeposit(fields))).toMatchObject({
      exchangeInfo: { exchangeRate: 17.09, outputCurrency: 'THB' },
    });
    expect(await envelopeOf(postCryptoDeposit(fields))).toMatchObject({
      statusCode: 400,
      message: 'Quote was already used',
    });
    expect(await envelopeOf(postCryptoDeposit({ outputCurrency: 'THB' }))).toMatchObject({
      data: { exchangeInfo: { exchangeRate: 34.18 } },
    });
  });

  it('does not accept another merchant’s quote', async () => {
    const query = 'inputCurrency=usdc-polygon&outputCurrency=THB&inputAmount=20';
    const quoted = await envelopeOf(getSigned(`/v1/convert/estimate?${query}`, { as: second }));
    const { quoteId } = Object(quoted['data']);
    expect(await envelopeOf(postCryptoDeposit({ outputCurrency: 'THB', quoteId }))).toMatchObject({
      statusCode: 400,
      message: 'Quote not found',
    });
  });

  it.each([
    ['an unknown token', { inputCurrency: 'doge-dogecoin' }, 'Crypto not found'],
    ['an unknown output', { outputCurrency: 'XXX' }, 'outputCurrency is not supported'],
    ['no amount', { inputAmount: undefined }, 'inputAmount: must be a positive number'],
  ])('refuses %s', async (_, fields, message) => {
    expect(await envelopeOf(postCryptoDeposit(fields))).toMatchObject({ statusCode: 400, message });
  });
});

describe('a reference', () => {
  it('is unique across both types', async () => {
    const reference = uniqueWord();
    const [first, again] = [
      await envelopeOf(postFiatDeposit({ reference })),
      await envelopeOf(postCryptoDeposit({ reference })),
    ];
    expect(first.statusCode).toBe(201);
    expect(again).toMatchObject({ statusCode: 400, message: `reference ${reference} was used before` });
  });

  it('makes one deposit for eight concurrent POSTs', async () => {
    const reference = uniqueWord();
    const answers = await Promise.all(Array.from({ length: 8 }, () => envelopeOf(postFiatDeposit({ reference }))));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 400),
    ]);
  });

  it('of one merchant does not affect another’s', async () => {
    const reference = uniqueWord();
    await depositIn(postFiatDeposit({ reference }));
    expect((await envelopeOf(postFiatDeposit({ reference }, second))).statusCode).toBe(201);
  });
});

describe('GET /v1/deposit/payment-method', () => {
  it('lists the enabled methods of one currency, or of all', async () => {
    const some = await envelopeOf(send('GET', '/v1/deposit/payment-method?currency=THB'));
    expect(some['data']).toContainEqual({
      depositPaymentType: 'qris',
      bankName: 'PromptPay',
      bankCode: 'PROMPTPAY',
      currency: 'THB',
      minimumAmount: 1,
      maximumAmount: 500_000,
      image: 'https://assets.example/deposit-methods/thb-promptpay.svg',
      feeFlat: 0,
      feePercentage: 0.8,
    });
    const all = Object((await envelopeOf(send('GET', '/v1/deposit/payment-method')))['data']);
    expect(all.length).toBeGreaterThan(Object(some['data']).length);
    expect(await envelopeOf(send('GET', '/v1/deposit/payment-method?currency=XXX'))).toMatchObject({ data: [] });
    expect(await envelopeOf(send('GET', '/v1/deposit/payment-method', undefined, basic))).toMatchObject({ data: [] });
  });
});
