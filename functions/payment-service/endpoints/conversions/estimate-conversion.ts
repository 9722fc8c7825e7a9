import * as z from 'zod';
import { priceConversion } from '../../domain/conversions/conversion.ts';
import { decimalsOf, isLess } from '../../domain/money/decimal.ts';
import { Refused } from '../../domain/refused.ts';
import { queryEndpoint } from '../../http/endpoint.ts';
import { enveloped } from '../../http/success.ts';
import { decimalOf, queryAmount } from '../../http/wire-json.ts';
import { keepQuote } from '../../store/conversions/quotes.ts';
import { conversionNumbers, conversionSides, quoteSchema } from './conversion-record.ts';

const query = z.object({
  inputCurrency: z.string({ error: 'is required' }).min(1),
  outputCurrency: z.string({ error: 'is required' }).min(1),
  inputAmount: queryAmount.optional(),
  outputAmount: queryAmount.optional(),
  /** Lowers the rate by this percentage. */
  markupRatePercentage: z
    .string()
    .meta({ wire: { type: 'number', minimum: 0, exclusiveMaximum: 100, multipleOf: 0.000001 } })
    .transform(decimalOf)
    .refine(
      (percent) => percent !== undefined && isLess(percent, '100') && decimalsOf(percent) <= 6,
      'must be a number from 0 to below 100, with six decimals at most',
    )
    .optional(),
});

/** GET /v1/convert/estimate: a quote, valid for some minutes, and for one conversion or deposit. */
export const estimateConversion = queryEndpoint({
  route: 'GET /v1/convert/estimate',
  access: 'signed',
  summary: 'Quote a conversion of crypto into fiat',
  answers: enveloped('Conversion estimated', quoteSchema),
  query,
  work: async (context, { account }, request) => {
    const conversion = priceConversion({ ...context.settings, account: account.terms }, request);
    if (conversion instanceof Refused) return conversion;
    const quoteId = `quo_${context.randomHex()}`;
    const expiresAt = context.now().getTime() + context.settings.quoteValiditySeconds * 1000;
    await keepQuote(context, quoteId, conversion, expiresAt);
    return { quoteId, ...conversionSides(conversion), estimate: conversionNumbers(conversion) };
  },
});
