import type { Chance } from '../../support/chance.ts';
import type { ServiceAnswer } from './answer.ts';
import { error, ok } from './answer.ts';
import { amountNumber, millionths } from './money.ts';
import type { Truth } from './truth.ts';

/** Rates are in millionths. */
export const rateScale = 1_000_000n;

/** Output per input, in millionths, by `usdt-tron~IDR`. */
export type Rates = ReadonlyMap<string, bigint>;

/** Terms of quotes: see ProviderTerms. */
export interface ExchangeTerms {
  readonly rates: Rates;
  readonly drifts: readonly bigint[];
}

interface Quote {
  readonly inputCurrency: string;
  readonly input: bigint;
  readonly outputCurrency: string;
  readonly output: bigint;
}

const conversion = ({ inputCurrency, input, outputCurrency }: Quote): object => ({
  input: { currency: inputCurrency, type: 'crypto', amount: amountNumber(input) },
  output: { currency: outputCurrency, type: 'fiat' },
});

const outcome = ({ output }: Quote): object => ({
  rate: { crypto: 1, fiat: 1 },
  convertedAmount: amountNumber(output),
  fee: 0,
  totalConvertedAmount: amountNumber(output),
  markupRatePercentage: 0,
});

/** The service's conversions: quotes and their executions. */
export class Exchange {
  readonly #truth: Truth;
  readonly #terms: ExchangeTerms;
  readonly #chance: Chance;
  readonly #quotes = new Map<string, Quote>();
  #made = 0;

  constructor(truth: Truth, terms: ExchangeTerms, chance: Chance) {
    this.#truth = truth;
    this.#terms = terms;
    this.#chance = chance;
  }

  quote(query: URLSearchParams): ServiceAnswer {
    const [inputCurrency, outputCurrency] = [query.get('inputCurrency') ?? '', query.get('outputCurrency') ?? ''];
    const { rates, drifts } = this.#terms;
    const rate = rates.get(`${inputCurrency}~${outputCurrency}`);
    if (rate === undefined) return error(400, 'The pair is not offered');
    const output = millionths(query.get('outputAmount') ?? '');
    const quoted = [...this.#quotes.values()].filter(
      (quote) => quote.inputCurrency === inputCurrency && quote.outputCurrency === outputCurrency,
    );
    // Rates drift randomly by up to two percent either way.
    const drift = drifts[quoted.length % drifts.length] ?? BigInt(this.#chance.int(9_800, 10_200));
    const drifted = (rate * drift) / 10_000n;
    const input = (output * rateScale) / drifted + 1n;
    const quoteId = `quote-${this.#quotes.size + 1}`;
    const quote = { inputCurrency, input, outputCurrency, output };
    this.#quotes.set(quoteId, quote);
    return ok({ quoteId, ...conversion(quote), estimate: outcome(quote) });
  }

  convert(quoteId: string): ServiceAnswer {
    const quote = this.#quotes.get(quoteId);
    if (quote === undefined) return error(400, 'Quote not found');
    const { inputCurrency, input } = quote;
    if (this.#truth.balance(inputCurrency) < input) {
      this.#truth.refuseForMoney(inputCurrency, input);
      return error(400, 'insufficient input balance');
    }
    this.#made += 1;
    const convertId = `convert-${this.#made}`;
    this.#truth.convert({ convertId, quoteId, ...quote });
    return ok({ convertId, ...conversion(quote), result: outcome(quote) });
  }
}
