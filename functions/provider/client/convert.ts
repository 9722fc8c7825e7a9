import * as z from 'zod';
import type { Transport } from '../transport/transport.ts';
import { get, post } from '../transport/transport.ts';
import { amount, queryAmount, received, sent, sentAmount } from '../wire-values.ts';

const input = received(() => ({ currency: z.string(), amount: amount() }));
const output = received(() => ({ currency: z.string() }));
/** Its other fields are not read: conversion.ts says why. A null in one of them must not hide that a conversion was made. */
const outcome = received(() => ({ fee: amount(), totalConvertedAmount: amount() }));

const estimateQuery = sent(() => ({
  inputCurrency: z.string(),
  inputAmount: queryAmount().optional(),
  outputCurrency: z.string(),
  outputAmount: queryAmount().optional(),
}));
const estimateData = received(() => ({
  quoteId: z.string().min(1),
  input: input(),
  output: output(),
  estimate: outcome(),
}));

const convertRequest = sent(() => ({
  input: z.strictObject({ currency: z.string(), amount: sentAmount().optional() }),
  output: z.strictObject({ currency: z.string(), amount: sentAmount().optional() }),
  quoteId: z.string().optional(),
}));
const convertData = received(() => ({
  convertId: z.string().min(1),
  input: input(),
  output: output(),
  result: outcome(),
}));

/** Estimates and makes conversions of crypto into fiat. */
export const convertEndpoints = (transport: Transport) => ({
  estimate: (query: z.input<ReturnType<typeof estimateQuery>>) =>
    transport.send(get('/v1/convert/estimate', 'signed', { query: estimateQuery().parse(query) }), estimateData()),
  /** Moves money and has no reference: see functions/steps/funding/CONVERSIONS.md before calling it. */
  execute: (request: z.input<ReturnType<typeof convertRequest>>) =>
    transport.send(
      post('/v1/convert', 'authorization', JSON.stringify(convertRequest().parse(request))),
      convertData(),
    ),
});
