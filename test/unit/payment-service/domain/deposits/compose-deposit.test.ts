import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../../functions/payment-service/domain/conversions/conversion.ts';
import { priceConversion } from '../../../../../functions/payment-service/domain/conversions/conversion.ts';
import type {
  CryptoDepositRequest,
  FiatDepositRequest,
} from '../../../../../functions/payment-service/domain/deposits/compose-deposit.ts';
import {
  composeCryptoDeposit,
  composeFiatDeposit,
} from '../../../../../functions/payment-service/domain/deposits/compose-deposit.ts';
import { depositMethods } from '../../../../../functions/payment-service/domain/deposits/deposit-methods.ts';
import { assets } from '../../../../../functions/payment-service/domain/money/currencies.ts';
import { chargeOf, grossedUp } from '../../../../../functions/payment-service/domain/money/fees-and-limits.ts';
import { Money } from '../../../../../functions/payment-service/domain/money/money.ts';
import { Refused } from '../../../../../functions/payment-service/domain/refused.ts';

const everything = { checkout: true, depositMethods: 'all', conversions: 'all' } as const;
const terms = { sandbox: true, rates: {}, conversionFeePercentage: '0.5', account: everything };

const baht = (amount: string): Money => Money.of(amount, 'THB');
const ether = (amount: string): Money => Money.of(amount, 'eth-ethereum');
const usdt = (amount: string): Money => Money.of(amount, 'usdt-tron');

const request: FiatDepositRequest = {
  inputCurrency: 'THB',
  inputAmount: '1000',
  outputCurrency: 'THB',
  balanceType: 'fiat',
  paymentMethod: 'PROMPTPAY',
};
const intoTokens = { outputCurrency: 'usdt-tron', balanceType: 'crypto' } as const;
const quote = (change: Partial<Conversion> = {}): Conversion => ({
  input: usdt('100'),
  rate: '30',
  converted: baht('3000'),
  fee: baht('15'),
  total: baht('2985'),
  markupRatePercentage: '0',
  ...change,
});

const fiat = (change: Partial<FiatDepositRequest>, quoted?: Conversion) =>
  composeFiatDeposit(terms, { ...request, ...change }, quoted);
const wanting = (outputAmount: NonNullable<FiatDepositRequest['outputAmount']>) => ({
  inputAmount: undefined,
  outputAmount,
});

describe('a fiat deposit', () => {
  it.each([
    ['deducts the percentage', {}, { fee: baht('8'), output: baht('992'), exchangeRate: undefined }],
    ['deducts the flat fee', { paymentMethod: 'KBANK' }, { fee: baht('10'), output: baht('990') }],
    ['rounds the fee half up', { inputAmount: '100.63' }, { fee: baht('0.81'), output: baht('99.82') }],
    ['is grossed up', wanting({ fiat: '992' }), { input: baht('1000'), fee: baht('8'), output: baht('992') }],
    [
      'converts the rest, rounded down, less the conversion fee',
      intoTokens,
      { output: usdt('28.877706'), conversionFee: usdt('0.145114'), exchangeRate: '34.18' },
    ],
    [
      'is grossed up for tokens',
      { ...wanting({ crypto: '29.1' }), ...intoTokens },
      { input: baht('1007.7'), fee: baht('8.06'), conversionFee: usdt('0.146232'), output: usdt('29.10011') },
    ],
    [
      'is converted into another fiat currency',
      { outputCurrency: 'PHP' },
      {
        fee: baht('8'),
        output: Money.of('1687.03', 'PHP'),
        conversionFee: Money.of('8.48', 'PHP'),
        exchangeRate: '1.709186658864833235',
      },
    ],
    [
      'is grossed up for another fiat currency',
      { ...wanting({ fiat: '1000' }), outputCurrency: 'PHP' },
      { input: baht('592.76'), output: Money.of('1000', 'PHP') },
    ],
  ])('%s', (_, change, price) => {
    expect(fiat(change)).toMatchObject(price);
  });

  it.each(assets.map(({ code, type }) => [code, type] as const))(
    'into %s is accepted at every listed limit of every method',
    (outputCurrency, balanceType) => {
      for (const { currency, bankCode, minAmount, maxAmount } of depositMethods) {
        for (const { amount: inputAmount } of [minAmount, maxAmount]) {
          const paid = { inputCurrency: currency, paymentMethod: bankCode, inputAmount };
          expect(fiat({ ...paid, outputCurrency, balanceType }), `${bankCode} ${inputAmount}`).not.toBeInstanceOf(
            Refused,
          );
        }
      }
    },
  );

  it.each([
    [
      'neither amount',
      wanting({}),
      'exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required',
    ],
    [
      'both amounts',
      { outputAmount: { fiat: '1' } },
      'exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required',
    ],
    [
      'an input and an empty output',
      { outputAmount: {} },
      'exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required',
    ],
    [
      'both fields',
      wanting({ fiat: '1', crypto: '1' }),
      'exactly one of inputAmount, outputAmount.fiat and outputAmount.crypto is required',
    ],
    ['the wrong field', wanting({ crypto: '100' }), 'use outputAmount.fiat for this outputCurrency'],
    ['an unknown output', { outputCurrency: 'XXX' }, 'outputCurrency is not supported'],
    ['an unknown input', { inputCurrency: 'XXX' }, 'inputCurrency is not a supported fiat currency'],
    ['a token as input', { inputCurrency: 'usdt-tron' }, 'inputCurrency is not a supported fiat currency'],
    ['an unknown method', { paymentMethod: 'NOBANK' }, 'Payment method not found'],
    ['a method of another currency', { paymentMethod: 'BDO' }, 'Payment method not found'],
    ['the wrong balance type', { balanceType: 'crypto' }, 'balanceType must be fiat for this outputCurrency'],
    ['too many decimals', { inputAmount: '10.001' }, 'inputAmount has more than 2 decimals'],
    ['too many output decimals', wanting({ fiat: '10.001' }), 'outputAmount has more than 2 decimals'],
    ['too little', { inputAmount: '0.5' }, 'the amount to pay must be between 1 and 500000, and it is 0.5'],
    ['too much', { inputAmount: '500001' }, 'the amount to pay must be between 1 and 500000, and it is 500001'],
    [
      'too much to pay for the wanted amount',
      wanting({ fiat: '500000' }),
      'the amount to pay must be between 1 and 500000, and it is 504032.26',
    ],
  ] as const)('of %s is refused', (_, change, message) => {
    expect(fiat(change)).toEqual(new Refused(message));
  });

  it.each([
    ['a method', { ...everything, depositMethods: ['KBANK'] }, {}, 'Payment method not found'],
    [
      'a pair',
      { ...everything, conversions: ['usdc-polygon/THB'] },
      intoTokens,
      'conversion is not enabled for this pair of currencies',
    ],
    [
      'a pair of fiat currencies',
      { ...everything, conversions: ['usdc-polygon/THB'] },
      { outputCurrency: 'PHP' },
      'conversion is not enabled for this pair of currencies',
    ],
  ])('needs the account to enable %s', (_, account, change, message) => {
    expect(composeFiatDeposit({ ...terms, account }, { ...request, ...change }, undefined)).toEqual(
      new Refused(message),
    );
  });

  it.each(['THB/PHP', 'PHP/THB'])('is converted between fiat currencies when %s is enabled', (pair) => {
    const account = { ...everything, conversions: [pair] };
    expect(
      composeFiatDeposit({ ...terms, account }, { ...request, outputCurrency: 'PHP' }, undefined),
    ).not.toBeInstanceOf(Refused);
  });

  it('uses the rate of its quote, for at most the quoted number of tokens', () => {
    expect(fiat(intoTokens, quote({ input: usdt('33.066666') }))).toMatchObject({
      exchangeRate: '30',
      output: usdt('32.901333'),
      conversionFee: usdt('0.165333'),
    });
    // 992 baht are 33.066666 tokens and two thirds of a millionth; a satang buys 333 millionths.
    expect(fiat(intoTokens, quote({ input: usdt('33.065999') }))).toEqual({
      message: 'the quote is for at most 33.065999 tokens before the conversion fee',
    });
  });

  it.each(['THB', 'USD', 'SGD', 'INR', 'PHP', 'IDR', 'VND'])('can use up all of a quote in %s', (code) => {
    const method = depositMethods.find(({ currency }) => currency === code)?.bankCode ?? '';
    fc.assert(
      fc.property(fc.integer({ min: 30_000_000, max: 90_000_000 }), (millionths) => {
        const inputAmount = `${(millionths / 1_000_000).toFixed(6)}`;
        const priced = priceConversion(terms, { inputCurrency: 'usdt-tron', inputAmount, outputCurrency: code });
        if (priced instanceof Refused) throw new Error(priced.message);
        const wanted = (tokens: string) =>
          fiat(
            { ...intoTokens, ...wanting({ crypto: tokens }), inputCurrency: code, paymentMethod: method },
            quote(priced),
          );
        const { input } = priced;
        const fee = input.percentRoundedHalfUp('0.5');
        expect(wanted(input.minus(fee).amount)).not.toBeInstanceOf(Refused);
        expect(wanted(inputAmount)).toBeInstanceOf(Refused);
      }),
    );
  });

  it('says how many tokens a quote covers before the fee', () => {
    expect(fiat({ ...intoTokens, ...wanting({ crypto: '33.1' }) }, quote({ input: usdt('33.1') }))).toEqual({
      message: 'the quote is for at most 33.1 tokens before the conversion fee',
    });
  });

  it.each([
    ['other currencies', quote({ total: Money.of('2985', 'PHP') }), intoTokens, 'the quote is for other currencies'],
    ['a conversion, when nothing is converted', quote(), {}, 'the quote is for other currencies'],
    ['tokens, when none are bought', quote(), { outputCurrency: 'PHP' }, 'the quote is for other currencies'],
    [
      'a rate lowered by a markup',
      quote({ markupRatePercentage: '50' }),
      intoTokens,
      'a quote with a markup is for conversions from crypto only',
    ],
  ] as const)('does not accept a quote for %s', (_, quoted, change, message) => {
    expect(fiat(change, quoted)).toEqual(new Refused(message));
  });

  it.each([
    [true, 'autopay-1', 'autopay'],
    [true, 'expire-1', 'expire'],
    [true, 'order-autopay', 'standard'],
    [true, undefined, 'standard'],
    [false, 'autopay-1', 'standard'],
    [false, 'expire-1', 'standard'],
  ] as const)('in a sandbox (%s) with the reference %s is %s', (sandbox, reference, outcome) => {
    expect(composeFiatDeposit({ ...terms, sandbox }, { ...request, reference }, undefined)).toMatchObject({
      outcome,
      reference,
    });
  });
});

describe('a crypto deposit', () => {
  const crypto = (change: Partial<CryptoDepositRequest>, quoted?: Conversion) =>
    composeCryptoDeposit(terms, { inputCurrency: 'usdt-tron', inputAmount: '100', ...change }, quoted);

  it.each([
    ['stays in its token by default', {}, { fee: usdt('0.5'), output: usdt('99.5') }],
    ['may name its token', { outputCurrency: 'usdt-tron' }, { output: usdt('99.5'), exchangeRate: undefined }],
    [
      'is converted',
      { outputCurrency: 'THB' },
      { output: baht('3383.91'), conversionFee: baht('17'), exchangeRate: '34.18' },
    ],
    [
      'is converted into another token',
      { outputCurrency: 'eth-ethereum' },
      {
        output: ether('0.031411157447821592'),
        conversionFee: ether('0.000157845012300611'),
        exchangeRate: '0.000317276406634394',
      },
    ],
    [
      'is converted into another token for the same currency',
      { outputCurrency: 'usdc-polygon' },
      { output: Money.of('99.0025', 'usdc-polygon'), exchangeRate: '1' },
    ],
    [
      'pays a percentage as fee in coins',
      { inputCurrency: 'eth-ethereum', inputAmount: '0.000000000000000999' },
      { fee: ether('0.000000000000000001'), output: ether('0.000000000000000998') },
    ],
  ])('%s', (_, change, price) => {
    expect(crypto(change)).toMatchObject(price);
  });

  it.each([
    ['an unknown token', { inputCurrency: 'doge-dogecoin' }, 'Crypto not found'],
    ['a fiat currency', { inputCurrency: 'THB' }, 'Crypto not found'],
    ['an unknown output', { outputCurrency: 'XXX' }, 'outputCurrency is not supported'],
    ['no more than its fee', { inputAmount: '0.5' }, 'the amount is too small: nothing is left after the fee'],
    [
      'less than a satang',
      { inputAmount: '0.5002', outputCurrency: 'THB' },
      'the amount is too small: nothing is left after the fee',
    ],
    ['too many decimals', { inputAmount: '1.0000001' }, 'inputAmount has more than 6 decimals'],
  ])('of %s is refused', (_, change, message) => {
    expect(crypto(change)).toEqual(new Refused(message));
  });

  it('accepts a quote with a markup, which lowers the arriving amount', () => {
    expect(crypto({ outputCurrency: 'THB' }, quote({ markupRatePercentage: '10' }))).toMatchObject({
      exchangeRate: '30',
      conversionFee: baht('14.93'),
      output: baht('2970.07'),
    });
  });

  it('accepts a quote for at most the tokens left after the fee', () => {
    expect(crypto({ outputCurrency: 'THB' }, quote({ input: usdt('99.5') }))).not.toBeInstanceOf(Refused);
    expect(crypto({ outputCurrency: 'THB' }, quote({ input: usdt('99.499999') }))).toEqual({
      message: 'the quote is for at most 99.499999 tokens before the conversion fee',
    });
  });

  it('is charged like a conversion of the amount left after its fee', () => {
    const conversion = priceConversion(terms, {
      inputCurrency: 'usdt-tron',
      inputAmount: '99.5',
      outputCurrency: 'THB',
    });
    if (conversion instanceof Refused) throw new Error(conversion.message);
    const { fee, total } = conversion;
    expect(crypto({ outputCurrency: 'THB' })).toMatchObject({
      conversionFee: fee,
      output: total,
    });
  });
});

describe('grossing up', () => {
  const charge = fc.record({
    feeFlat: fc.nat(20_000).map((cents) => baht(`${(cents / 100).toFixed(2)}`)),
    feePercentage: fc.nat(9900).map((hundredths) => (hundredths / 100).toFixed(2)),
  });
  const wanted = fc
    .bigInt(1n, 10n ** 14n)
    .map((cents) => baht(`${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`));

  it('leaves the wanted amount, and one unit less would not', () => {
    fc.assert(
      fc.property(wanted, charge, (amount, rule) => {
        const left = (gross: Money): Money => gross.minus(chargeOf(rule, gross));
        const gross = grossedUp(amount, rule);
        expect(left(gross).isLessThan(amount)).toBe(false);
        expect(left(gross.minus(Money.smallestUnit('THB'))).isLessThan(amount)).toBe(true);
      }),
    );
  });

  it('finds the smallest payment for a deposit, converted or not', () => {
    const method = fc.constantFrom(...depositMethods.filter(({ currency }) => currency === 'THB'));
    fc.assert(
      fc.property(
        method,
        fc.integer({ min: 30_000_000, max: 900_000_000 }),
        fc.constantFrom('THB', 'SGD', 'usdt-tron'),
        (one, micro, outputCurrency) => {
          const converted = outputCurrency === 'usdt-tron';
          const tokens = (micro / 1e6).toFixed(6);
          const bahts = (micro / 1e6).toFixed(2);
          const change = {
            paymentMethod: one.bankCode,
            ...(converted ? intoTokens : { outputCurrency }),
            ...wanting(converted ? { crypto: tokens } : { fiat: bahts }),
          };
          const composed = fiat(change);
          if (composed instanceof Refused) throw new Error(composed.message);
          const { input, output } = composed;
          const asked = Money.of(converted ? tokens : bahts, outputCurrency);
          expect(output.isLessThan(asked)).toBe(false);
          const { amount } = input.minus(Money.smallestUnit(input.currency));
          const less = fiat({ ...change, outputAmount: undefined, inputAmount: amount });
          if (less instanceof Refused) throw new Error(less.message);
          expect(less.output.isLessThan(asked)).toBe(true);
        },
      ),
    );
  });
});
