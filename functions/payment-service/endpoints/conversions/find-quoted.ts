import type { Conversion } from '../../domain/conversions/conversion.ts';
import type { Refused } from '../../domain/refused.ts';
import { refused } from '../../domain/refused.ts';
import type { Context } from '../../store/context.ts';
import { findQuote } from '../../store/conversions/quotes.ts';

export const quoteProblems = {
  not_found: 'Quote not found',
  expired: 'Quote has expired',
  used: 'Quote was already used',
} as const;

/** The conversion that one of the account's quotes promises. */
export const findQuoted = async (
  context: Context,
  quoteId: string,
): Promise<{ readonly kind: 'quoted'; readonly conversion: Conversion } | Refused> => {
  const found = await findQuote(context, quoteId);
  return found.kind === 'usable'
    ? { kind: 'quoted', conversion: found.quote.conversion }
    : refused(quoteProblems[found.kind]);
};
