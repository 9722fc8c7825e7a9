import { expect, it } from 'vitest';
import * as z from 'zod';
import { balanceOf, envelopeOf, getSigned, send } from '../support/payment-service/merchant.ts';

const quote = z.object({
  data: z.object({
    quoteId: z.string(),
    input: z.object({ amount: z.number() }),
    estimate: z.object({ totalConvertedAmount: z.number(), fee: z.number(), rate: z.object({ fiat: z.number() }) }),
  }),
});

const estimate = async (query: string) =>
  quote.parse(
    await envelopeOf(getSigned(`/v1/convert/estimate?inputCurrency=usdc-ethereum&outputCurrency=THB&${query}`)),
  ).data;

const convert = (input: object, output: object, rest: object = {}) =>
  envelopeOf(
    send('POST', '/v1/convert', {
      input: { currency: 'usdc-ethereum', ...input },
      output: { currency: 'THB', ...output },
      ...rest,
    }),
  );

it('a quote is converted as quoted, and only once when concurrent requests use it', async () => {
  const { quoteId, input, estimate: quoted } = await estimate('outputAmount=50000');
  expect(quoted.totalConvertedAmount).toBe(50_000);
  const [tokens, baht] = [await balanceOf('usdc-ethereum'), await balanceOf('THB')];
  const answers = await Promise.all(Array.from({ length: 5 }, () => convert({}, {}, { quoteId })));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ message }) => message === 'Quote was already used')).toHaveLength(4);
  expect(await balanceOf('usdc-ethereum')).toBeCloseTo(tokens - input.amount, 6);
  expect(await balanceOf('THB')).toBeCloseTo(baht + 50_000, 2);
});

it('without a quote, the current rate applies', async () => {
  const baht = await balanceOf('THB');
  expect(await convert({ amount: 100 }, {})).toMatchObject({
    statusCode: 200,
    data: {
      result: { rate: { crypto: 1, fiat: 34.18 }, convertedAmount: 3418, fee: 17.09, totalConvertedAmount: 3400.91 },
    },
  });
  expect(await balanceOf('THB')).toBeCloseTo(baht + 3400.91, 2);
});

it.each<[string, object, object, object, string]>([
  ['more than there is', { amount: 400_000_000 }, {}, {}, 'insufficient input balance'],
  ['an unknown quote', {}, {}, { quoteId: 'quo_nothing' }, 'Quote not found'],
  ['no amount', {}, {}, {}, 'exactly one of input.amount and output.amount is required'],
  ['an unknown currency', { currency: 'doge', amount: 1 }, {}, {}, 'input.currency is not a supported crypto currency'],
  ['an amount in text', { amount: '1' }, {}, {}, 'input.amount: must be a positive number'],
])('a conversion of %s is refused and moves nothing', async (_, input, output, rest, message) => {
  const before = await balanceOf('usdc-ethereum');
  expect(await convert(input, output, rest)).toMatchObject({ statusCode: 400, message });
  expect(await balanceOf('usdc-ethereum')).toBe(before);
});

it('a quote for another amount than requested is refused', async () => {
  const { quoteId } = await estimate('inputAmount=10');
  expect(await convert({ amount: 11 }, {}, { quoteId })).toMatchObject({ statusCode: 400 });
  expect(await convert({ amount: 10 }, {}, { quoteId })).toMatchObject({ statusCode: 200 });
});
