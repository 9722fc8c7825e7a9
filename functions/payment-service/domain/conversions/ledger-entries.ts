import type { Entry, EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import type { Conversion } from './conversion.ts';

/** A conversion is two entries, one per currency. The exchange takes the input and gives the output less the fee. */
export const conversionEntries = (
  head: Pick<EntryHead, 'id' | 'at'>,
  conversion: Conversion,
): { readonly input: Entry; readonly output: Entry } => ({
  input: entry(
    { ...head, kind: 'conversion', currency: conversion.input.currency },
    { balance: conversion.input.negated(), exchange: conversion.input },
  ),
  output: entry(
    { ...head, kind: 'conversion', currency: conversion.total.currency },
    {
      exchange: conversion.converted.negated(),
      fees: conversion.fee,
      balance: conversion.total,
    },
  ),
});
