import * as z from 'zod';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { TransactItem } from '../table.ts';
import { edits, getItem, putIfFree, update } from '../table.ts';
import { conversionAttributes, conversionItem } from './conversion-item.ts';

const quoteItem = z.object({
  accountId: z.string(),
  conversion: conversionItem,
  expiresAt: z.number(),
  usedBy: z.string().optional(),
});

const dayInSeconds = 86_400;

/**
 * Stores a quote if its key is free. Its id is random, so only an earlier attempt of this write can have taken the key. A quote
 * that was used since stays used.
 *
 * @param expiresAt epoch milliseconds, by the merchant's clock
 */
export const keepQuote = async (
  { table, accountId, now, realNow }: Context,
  quoteId: string,
  conversion: Conversion,
  expiresAt: number,
): Promise<void> => {
  await putIfFree(table, {
    ...keys.quote(quoteId),
    quoteId,
    conversion: conversionAttributes(conversion),
    expiresAt,
    accountId,
    // Kept for another day, so that a late caller gets "expired" instead of "not found". The table deletes by the real clock.
    timeToLive: Math.ceil((realNow().getTime() + expiresAt - now().getTime()) / 1000) + dayInSeconds,
  });
};

/** The conversion of a quote of this account, or why it cannot be used. Quotes of other accounts are not found. */
export const findQuote = async (
  { table, accountId, now }: Context,
  quoteId: string,
): Promise<Conversion | 'not_found' | 'expired' | 'used'> => {
  const quote = await getItem(table, keys.quote(quoteId), quoteItem);
  if (quote?.accountId !== accountId) return 'not_found';
  if (quote.usedBy !== undefined) return 'used';
  return quote.expiresAt > now().getTime() ? quote.conversion : 'expired';
};

/** The write that uses a quote up, on condition that it exists and is unused. */
export const useQuote = (quoteId: string, usedBy: string): TransactItem =>
  update(keys.quote(quoteId), {
    ...edits({ set: { usedBy } }),
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedBy)',
  });
