import { afterEach, describe, expect, it } from 'vitest';
import { thb, usdt } from '../../support/money.ts';
import type { LoopbackService } from './loopback-service.ts';
import { answerText, enveloped, providerOf, startService } from './loopback-service.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const asked = { inputCurrency: 'usdt-tron', output: thb('1000') };

const estimate = (
  inputAmount: string,
  converted: string,
  fee: string,
  total: string,
  currency = 'THB',
  inputCurrency = 'usdt-tron',
): string =>
  enveloped(`{"quoteId":"q-${total}","input":{"currency":"${inputCurrency}","type":"crypto","amount":${inputAmount}},
    "output":{"currency":"${currency}","type":"fiat"},"estimate":{"rate":{"crypto":1,"fiat":34},
    "convertedAmount":${converted},"fee":${fee},"totalConvertedAmount":${total},"markupRatePercentage":0}}`);

const outputAskedBy = (url: string): string => new URLSearchParams(url.split('?')[1]).get('outputAmount') ?? '';

describe('a quote', () => {
  it('is accepted when the output equals the request', async () => {
    service = await startService((_request, response) =>
      answerText(response, estimate('29.5', '1005.03', '5.03', '1e3')),
    );
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.quoteConversion(asked)).toEqual({
      kind: 'quoted',
      quote: {
        quoteId: 'q-1e3',
        input: usdt('29.5'),
        output: thb('1000'),
        fee: thb('5.03'),
        rate: '33.89830508474576271186',
      },
    });
    expect(service.seen.map(({ url }) => url)).toEqual([
      '/v1/convert/estimate?inputCurrency=usdt-tron&outputAmount=1000&outputCurrency=THB',
    ]);
  });

  it('is requested again, scaled and rounded up to satang, when the fee reduces the output', async () => {
    service = await startService((request, response) =>
      answerText(
        response,
        outputAskedBy(request.url) === '1000'
          ? estimate('29.5', '1000', '7', '993')
          : estimate('29.71', '1007.05', '7.05', '1000'),
      ),
    );
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.quoteConversion(asked)).toMatchObject({ kind: 'quoted', quote: { output: thb('1000') } });
    expect(service.seen.map(({ url }) => outputAskedBy(url))).toEqual(['1000', '1007.05']);
  });

  it.each([
    ['still brings less than asked', estimate('29.5', '1000', '7', '993'), 'Less would arrive than was asked for.'],
    ['brings nothing', estimate('29.5', '1000', '1000', '0'), 'Nothing would arrive.'],
    [
      'is for another currency',
      estimate('29.5', '1000', '0', '1000', 'IDR'),
      'The quote is not for the conversion that was asked for.',
    ],
    [
      'takes another token',
      estimate('29.5', '1000', '0', '1000', 'THB', 'usdc-polygon'),
      'The quote is not for the conversion that was asked for.',
    ],
    ['takes nothing', estimate('0', '1000', '0', '1000'), 'The quote is not for the conversion that was asked for.'],
    [
      'is refused',
      '{"statusCode":400,"error":"Bad Request","message":"this pair cannot be converted"}',
      'this pair cannot be converted',
    ],
  ])('that %s is refused', async (_case, answer, message) => {
    service = await startService((_request, response) => answerText(response, answer));
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.quoteConversion(asked)).toEqual({ kind: 'refused', message });
  });

  it('for a token is refused without a request, because the service converts to fiat only', async () => {
    let requests = 0;
    service = await startService((_request, response) => {
      requests += 1;
      answerText(response, estimate('1', '1000', '0', '1000'));
    });
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.quoteConversion({ inputCurrency: 'usdc-polygon', output: usdt('10') })).toMatchObject({
      kind: 'refused',
      isLacking: true,
    });
    expect(requests).toBe(0);
  });
});

const quote = {
  quoteId: 'q-1',
  input: usdt('29.500000000000000001'),
  output: thb('1000'),
  fee: thb('5.03'),
  rate: '33.9',
};
const converted = (output = 'THB', input = 'usdt-tron'): string =>
  enveloped(`{"convertId":"c1","input":{"currency":"${input}","type":"crypto","amount":29.500000000000000001},
    "output":{"currency":"${output}","type":"fiat"},"result":{"rate":{"crypto":1,"fiat":34},"convertedAmount":1005.03,
    "fee":5.03,"totalConvertedAmount":1000.00,"markupRatePercentage":0}}`);

describe('a conversion', () => {
  it('posts the quote with every decimal, once', async () => {
    service = await startService((_request, response) => answerText(response, converted()));
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.convert(quote)).toEqual({
      kind: 'converted',
      convertId: 'c1',
      input: usdt('29.500000000000000001'),
      output: thb('1000'),
      fee: thb('5.03'),
    });
    expect(service.seen).toMatchObject([
      {
        method: 'POST',
        url: '/v1/convert',
        headers: { authorization: 'Bearer key-1' },
        body: '{"input":{"currency":"usdt-tron","amount":29.500000000000000001},"output":{"currency":"THB"},"quoteId":"q-1"}',
      },
    ]);
  });

  it.each([
    [
      'is rejected for want of balance',
      '{"statusCode":400,"message":"insufficient input balance"}',
      { kind: 'rejected', message: 'insufficient input balance', isBalanceTooLow: true },
    ],
    ['meets refused credentials', '{"statusCode":401,"message":"Unauthorized"}', { kind: 'halted', madeNothing: true }],
    ['meets an outage', '{"statusCode":503,"message":"try later"}', { kind: 'unknown', cause: 'status_503' }],
    ['cannot be read', enveloped('{"convertId":"c1"}'), { kind: 'unknown', cause: 'data_unreadable' }],
    ['is reported as one to another currency', converted('IDR'), { kind: 'unknown', cause: 'other_conversion' }],
    [
      'is reported as one of another token',
      converted('THB', 'usdc-polygon'),
      { kind: 'unknown', cause: 'other_conversion' },
    ],
  ])('that %s has this outcome, and is not repeated', async (_case, answer, expected) => {
    service = await startService((_request, response) => answerText(response, answer));
    const { provider } = providerOf(service.baseUrl);
    expect(await provider.convert(quote)).toEqual(expected);
    expect(service.seen).toHaveLength(1);
  });
});
