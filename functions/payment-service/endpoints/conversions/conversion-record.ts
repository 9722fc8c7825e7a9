import type { Conversion } from '../../domain/conversions/conversion.ts';
import { wireNumber } from '../../http/wire-json.ts';

/** The numbers of a conversion, called `estimate` in a quote and `result` in a conversion. */
const numbers = (conversion: Conversion) => ({
  rate: { crypto: 1, fiat: wireNumber(conversion.rate) },
  convertedAmount: wireNumber(conversion.converted),
  fee: wireNumber(conversion.fee),
  totalConvertedAmount: wireNumber(conversion.total),
  markupRatePercentage: wireNumber(conversion.markupRatePercentage),
});

const sides = (conversion: Conversion) => ({
  input: { currency: conversion.input.currency, type: 'crypto' as const, amount: wireNumber(conversion.input) },
  output: { currency: conversion.total.currency, type: 'fiat' as const },
});

export const quoteRecord = (quoteId: string, conversion: Conversion) => ({
  quoteId,
  ...sides(conversion),
  estimate: numbers(conversion),
});

export const convertRecord = (convertId: string, conversion: Conversion) => ({
  convertId,
  ...sides(conversion),
  result: numbers(conversion),
});
