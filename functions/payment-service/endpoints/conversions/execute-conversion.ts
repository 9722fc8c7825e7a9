import * as z from 'zod';
import type { Account } from '../../domain/account.ts';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import { atMovedRate, priceConversion } from '../../domain/conversions/conversion.ts';
import { canonical } from '../../domain/money/decimal.ts';
import type { Money } from '../../domain/money/money.ts';
import { Refused } from '../../domain/refused.ts';
import { movesRate } from '../../domain/sandbox/magic-values.ts';
import { RefusedWith } from '../../http/answers.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, quoteId } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount } from '../../http/wire-json.ts';
import type { Context } from '../../store/context.ts';
import { convert } from '../../store/conversions/convert.ts';
import { findQuote } from '../../store/conversions/quotes.ts';
import { conversionNumbers, conversionSchema, conversionSides } from './conversion-record.ts';
import { quoteProblems } from './quote-problems.ts';

const side = z.object({ currency: anyText, amount: wireAmount.optional() });
const body = z
  .object({ input: side, output: side, quoteId: quoteId.optional() })
  .meta({ examples: [{ input: { currency: 'usdt-tron', amount: 100 }, output: { currency: 'PHP' } }] });
type Body = z.output<typeof body>;

/** The currencies in the body, and the amounts if given, must match the quote. */
const fitsQuote = ({ input, output }: Body, conversion: Conversion): boolean => {
  const isOneOf = ({ currency, amount }: Body['input'], quoted: readonly Money[]): boolean =>
    quoted.some((one) => one.currency === currency && (amount === undefined || one.amount === canonical(amount)));
  const { total, wanted } = conversion;
  return isOneOf(input, [conversion.input]) && isOneOf(output, [total, wanted ?? total]);
};

const choose = async (context: Context, account: Account, request: Body): Promise<Conversion | Refused> => {
  const { input, output, quoteId } = request;
  if (quoteId === undefined) {
    return priceConversion(
      { ...context.settings, account: account.terms },
      {
        inputCurrency: input.currency,
        inputAmount: input.amount,
        outputCurrency: output.currency,
        outputAmount: output.amount,
      },
      (side, field) => `${side}.${field.toLowerCase()}`,
    );
  }
  const quoted = await findQuote(context, quoteId);
  if (typeof quoted === 'string') return new Refused(quoteProblems[quoted]);
  return fitsQuote(request, quoted) ? quoted : new Refused('the quote is for other currencies or amounts');
};

/** POST /v1/convert: converts at the rate of a quote, or without one at the current rate. */
export const executeConversion = bodyEndpoint({
  route: 'POST /v1/convert',
  access: 'authorization',
  summary: 'Convert crypto into fiat, at the rate of a quote or at the current one',
  answers: enveloped('Conversion executed successfully', conversionSchema),
  refuses: [503],
  body,
  work: async (context, { account }, request) => {
    const chosen = await choose(context, account, request);
    if (chosen instanceof Refused) return chosen;
    const { settings } = context;
    const moved = movesRate(settings.sandbox, chosen.input) ? atMovedRate(settings, chosen) : undefined;
    const conversion = moved ?? chosen;
    const convertId = `cnv_${context.randomHex()}`;
    switch (await convert(context, convertId, conversion, request.quoteId)) {
      case 'converted':
        return { convertId, ...conversionSides(conversion), result: conversionNumbers(conversion) };
      case 'insufficient_balance':
        return new Refused('insufficient input balance');
      case 'quote_used':
        return new Refused(quoteProblems.used);
      case 'busy':
        return new RefusedWith(503, 'The balance is in use, try again');
    }
  },
});
