import type { Entry, EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import { negate } from '../money/money.ts';
import type { Conversion } from './conversion.ts';

/** A conversion is two entries, one a currency: the desk takes the input, and gives the output less the fee. */
export const conversionEntries = (
  head: Pick<EntryHead, 'id' | 'at'>,
  conversion: Conversion,
): { readonly input: Entry; readonly output: Entry } => ({
  input: entry(
    { ...head, kind: 'conversion', currency: conversion.inputCurrency },
    { balance: negate(conversion.inputAmount), exchange: conversion.inputAmount },
  ),
  output: entry(
    { ...head, kind: 'conversion', currency: conversion.outputCurrency },
    {
      exchange: negate(conversion.convertedAmount),
      fees: conversion.fee,
      balance: conversion.totalConvertedAmount,
    },
  ),
});
