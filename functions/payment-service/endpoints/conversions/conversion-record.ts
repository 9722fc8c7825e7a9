import * as z from 'zod';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import { wireNumber } from '../../http/wire-json.ts';
import { amount, percentage } from '../answer-fields.ts';

const numbersSchema = z
  .strictObject({
    rate: z.strictObject({ crypto: z.number(), fiat: amount }).meta({ description: 'Fiat per unit of crypto.' }),
    convertedAmount: amount,
    fee: amount,
    totalConvertedAmount: amount.meta({ description: 'The amount that arrives, after the fee.' }),
    markupRatePercentage: percentage,
  })
  .meta({ id: 'ConversionNumbers', description: 'In the output currency.' });

const sideSchemas = {
  input: z.strictObject({ currency: z.string(), type: z.literal('crypto'), amount }),
  output: z.strictObject({ currency: z.string(), type: z.literal('fiat') }),
};

export const quoteSchema = z
  .strictObject({
    quoteId: z.string().meta({ description: 'Valid for some minutes, and for one conversion or deposit.' }),
    ...sideSchemas,
    estimate: numbersSchema,
  })
  .meta({ id: 'Quote' });

export const conversionSchema = z
  .strictObject({ convertId: z.string(), ...sideSchemas, result: numbersSchema })
  .meta({ id: 'Conversion' });

/** The numbers of a conversion. A quote calls them `estimate`, a conversion `result`. */
export const conversionNumbers = (conversion: Conversion) => ({
  rate: { crypto: 1, fiat: wireNumber(conversion.rate) },
  convertedAmount: wireNumber(conversion.converted),
  fee: wireNumber(conversion.fee),
  totalConvertedAmount: wireNumber(conversion.total),
  markupRatePercentage: wireNumber(conversion.markupRatePercentage),
});

export const conversionSides = (conversion: Conversion) => ({
  input: { currency: conversion.input.currency, type: 'crypto' as const, amount: wireNumber(conversion.input) },
  output: { currency: conversion.total.currency, type: 'fiat' as const },
});
