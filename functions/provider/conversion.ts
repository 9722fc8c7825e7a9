import { Big } from 'big.js';
import { decimalsOf } from '../domain/currency.ts';
import type { ConvertAnswer, PaymentProvider, Quote, QuoteAnswer } from '../ports/provider.ts';
import type { PaymentServiceClient } from './client/payment-service-client.ts';
import { classifyUnsuccessful, dataOrThrow, isLacking, messageWithoutPersonalData } from './refusal.ts';
import type { ProviderTraits } from './settings.ts';

type QuoteRequest = Parameters<PaymentProvider['quoteConversion']>[0];

/**
 * What arrives, per unit of input, the fee included: the totals' ratio, rounded half up at 20 decimals. `estimate.rate` is
 * two numbers whose meaning is not documented; the ratio cannot be misread, and a fee that grew shows in it as well.
 */
const outputPerInput = (output: string, input: string): string => new Big(output).div(input).toFixed();

/**
 * How much to ask for, so that `wanted` arrives where only `arrived` did when `wanted` was asked for. Right for a fee in
 * percent, a little more than right for a flat fee. Rounded up to the decimals of the currency.
 */
const scaledUp = (currency: string, wanted: string, arrived: string): string => {
  const decimals = decimalsOf(currency) ?? (wanted.split('.')[1] ?? '').length;
  return new Big(wanted).times(wanted).div(arrived).round(decimals, Big.roundUp).toFixed();
};

const ask = async (client: PaymentServiceClient, request: QuoteRequest, outputAmount: string): Promise<QuoteAnswer> => {
  const { inputCurrency, outputCurrency } = request;
  const answer = await client.convert.estimate({ inputCurrency, outputCurrency, outputAmount });
  if (answer.kind === 'refused' && answer.statusCode === 400) {
    return { kind: 'refused', message: messageWithoutPersonalData(answer.message) };
  }
  if (isLacking(answer)) return { kind: 'refused', message: 'The provider has no such conversion.', isLacking: true };
  const { quoteId, input, output, estimate } = dataOrThrow('GET /v1/convert/estimate', answer);
  if (input.currency !== inputCurrency || output.currency !== outputCurrency || input.amount === '0') {
    return { kind: 'refused', message: 'The quote is for something else than what was asked.' };
  }
  const arrives = estimate.totalConvertedAmount;
  return {
    kind: 'quoted',
    quote: {
      quoteId,
      inputCurrency,
      inputAmount: input.amount,
      outputCurrency,
      outputAmount: arrives,
      fee: estimate.fee,
      rate: outputPerInput(arrives, input.amount),
    },
  };
};

/**
 * A quote by which at least the asked amount arrives. Whether `outputAmount` is meant before or after the fee is not
 * documented: when less would arrive, a second quote is asked for more.
 */
export const quoteConversion = async (client: PaymentServiceClient, request: QuoteRequest): Promise<QuoteAnswer> => {
  const wanted = request.outputAmount;
  const first = await ask(client, request, wanted);
  if (first.kind === 'refused' || new Big(first.quote.outputAmount).gte(wanted)) return first;
  if (new Big(first.quote.outputAmount).eq(0)) return { kind: 'refused', message: 'Nothing would arrive.' };
  const second = await ask(client, request, scaledUp(request.outputCurrency, wanted, first.quote.outputAmount));
  if (second.kind === 'refused' || new Big(second.quote.outputAmount).gte(wanted)) return second;
  return { kind: 'refused', message: 'Less would arrive than was asked for.' };
};

/** POSTs once. Never throws for what the service or the network does: a conversion cannot be looked up. */
export const convert = async (
  client: PaymentServiceClient,
  traits: Pick<ProviderTraits, 'words'>,
  quote: Quote,
): Promise<ConvertAnswer> => {
  const answer = await client.convert.execute({
    input: { currency: quote.inputCurrency, amount: quote.inputAmount },
    output: { currency: quote.outputCurrency },
    quoteId: quote.quoteId,
  });
  if (answer.kind !== 'succeeded') return classifyUnsuccessful(answer, traits);
  const { convertId, input, output, result } = answer.data;
  if (input.currency !== quote.inputCurrency || output.currency !== quote.outputCurrency) {
    return { kind: 'unknown', cause: 'other_conversion' };
  }
  return {
    kind: 'converted',
    convertId,
    inputAmount: input.amount,
    outputAmount: result.totalConvertedAmount,
    fee: result.fee,
  };
};
