import { decimalsOf, railOf } from '../domain/money/currency.ts';
import { Money } from '../domain/money/money.ts';
import type { PaymentProvider, QuoteAnswer, WantedQuote } from '../ports/provider.ts';
import type { PaymentServiceClient } from './client/payment-service-client.ts';
import { classifyUnsuccessful, dataOrThrow, isLacking, messageWithoutPersonalData } from './refusal.ts';
import type { ProviderTraits } from './settings.ts';

/**
 * The amount to ask for so that `wanted` arrives, when asking for `wanted` delivered only `arrived`. Exact for a percentage fee,
 * slightly too much for a flat fee. Rounded up to the currency's decimals.
 */
const scaledUp = (wanted: Money, arrived: Money): Money =>
  wanted.shareRoundedUp({ part: wanted, whole: arrived }, decimalsOf(wanted.currency) ?? wanted.decimals());

const noSuchConversion: QuoteAnswer = {
  kind: 'refused',
  message: 'The provider has no such conversion.',
  isLacking: true,
};

/** The port's quotes and conversions. */
export const createConversions = (client: PaymentServiceClient, traits: Pick<ProviderTraits, 'words'>) => {
  const ask = async ({ inputCurrency, output: wanted }: WantedQuote): Promise<QuoteAnswer> => {
    const { currency: outputCurrency, amount: outputAmount } = wanted;
    const answer = await client.convert.estimate({ inputCurrency, outputCurrency, outputAmount });
    if (answer.kind === 'refused' && answer.statusCode === 400)
      return { kind: 'refused', message: messageWithoutPersonalData(answer.message) };
    if (isLacking(answer)) return noSuchConversion;
    const { quoteId, estimate, ...quoted } = dataOrThrow('GET /v1/convert/estimate', answer);
    const input = Money.of(quoted.input.amount, quoted.input.currency);
    if (input.currency !== inputCurrency || quoted.output.currency !== outputCurrency || input.isZero())
      return { kind: 'refused', message: 'The quote is not for the conversion that was asked for.' };
    const output = Money.of(estimate.totalConvertedAmount, outputCurrency);
    // The document does not explain the two numbers of `estimate.rate`. The ratio of the totals includes the fee, so a fee
    // increase shows.
    const rate = output.ratePerUnitRoundedHalfUp(input);
    return { kind: 'quoted', quote: { quoteId, input, output, fee: Money.of(estimate.fee, outputCurrency), rate } };
  };

  /**
   * Gets a quote that delivers at least the wanted amount. The document does not say whether `outputAmount` is before or after
   * the fee. So when less would arrive, it asks for a second quote with a larger amount. The document converts to fiat only.
   */
  const quoteConversion: PaymentProvider['quoteConversion'] = async (request) => {
    const wanted = request.output;
    if (railOf(wanted.currency) !== 'fiat') return noSuchConversion;
    const first = await ask(request);
    if (first.kind === 'refused' || first.quote.output.isAtLeast(wanted)) return first;
    if (first.quote.output.isZero()) return { kind: 'refused', message: 'Nothing would arrive.' };
    const second = await ask({ ...request, output: scaledUp(wanted, first.quote.output) });
    if (second.kind === 'refused' || second.quote.output.isAtLeast(wanted)) return second;
    return { kind: 'refused', message: 'Less would arrive than was asked for.' };
  };

  /** POSTs once. Never throws for a failure of the service or the network, because a conversion cannot be looked up. */
  const convert: PaymentProvider['convert'] = async (quote) => {
    const answer = await client.convert.execute({
      input: { currency: quote.input.currency, amount: quote.input.amount },
      output: { currency: quote.output.currency },
      quoteId: quote.quoteId,
    });
    if (answer.kind !== 'succeeded') return classifyUnsuccessful(answer, traits);
    const { convertId, input, output, result } = answer.data;
    if (input.currency !== quote.input.currency || output.currency !== quote.output.currency)
      return { kind: 'unknown', cause: 'other_conversion' };
    return {
      kind: 'converted',
      convertId,
      input: Money.of(input.amount, input.currency),
      output: Money.of(result.totalConvertedAmount, output.currency),
      fee: Money.of(result.fee, output.currency),
    };
  };

  return { quoteConversion, convert };
};
