import type { EntryHead } from '../money/ledger.ts';
import { entry } from '../money/ledger.ts';
import type { Conversion } from './conversion.ts';

/** A conversion is two entries, one per currency. The exchange takes the input and gives the output less the fee. */
export const conversionEntries = (
  head: Pick<EntryHead, 'id' | 'at'>,
  { input, converted, fee, total }: Conversion,
) => ({
  input: entry(
    { ...head, kind: 'conversion', currency: input.currency },
    { balance: input.negated(), exchange: input },
  ),
  output: entry(
    { ...head, kind: 'conversion', currency: total.currency },
    { exchange: converted.negated(), fees: fee, balance: total },
  ),
});
