import type { Conversion } from '../../domain/conversions/conversion.ts';
import type { Context } from '../../store/context.ts';
import { findQuote } from '../../store/conversions/quotes.ts';

export const quoteProblems = {
  not_found: 'Quote not found',
  expired: 'Quote has expired',
  used: 'Quote was already used',
} as const;

export type Quoted =
  | { readonly kind: 'quoted'; readonly conversion: Conversion }
  | { readonly kind: 'refused'; readonly message: string };

/** The conversion that a quote of the account stands for. */
export const findQuoted = async (context: Context, quoteId: string): Promise<Quoted> => {
  const found = await findQuote(context, quoteId);
  return found.kind === 'usable'
    ? { kind: 'quoted', conversion: found.quote.conversion }
    : { kind: 'refused', message: quoteProblems[found.kind] };
};
