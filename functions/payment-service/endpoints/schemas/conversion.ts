import * as z from 'zod';
import { amount, percentage } from './fields.ts';

const numbers = z
  .strictObject({
    rate: z
      .strictObject({ crypto: z.number(), fiat: amount })
      .meta({ description: 'So much fiat for so much crypto.' }),
    convertedAmount: amount,
    fee: amount,
    totalConvertedAmount: amount.meta({ description: 'What arrives, after the fee.' }),
    markupRatePercentage: percentage,
  })
  .meta({ id: 'ConversionNumbers', description: 'In the output currency.' });

const sides = {
  input: z.strictObject({ currency: z.string(), type: z.literal('crypto'), amount }),
  output: z.strictObject({ currency: z.string(), type: z.literal('fiat') }),
};

export const quote = z
  .strictObject({
    quoteId: z.string().meta({ description: 'Good for some minutes and for one conversion.' }),
    ...sides,
    estimate: numbers,
  })
  .meta({ id: 'Quote' });

export const conversion = z
  .strictObject({ convertId: z.string(), ...sides, result: numbers })
  .meta({ id: 'Conversion' });
