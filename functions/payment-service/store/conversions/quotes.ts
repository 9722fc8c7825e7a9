import * as z from 'zod';
import type { Quote } from '../../domain/conversions/conversion.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import { getItem, putItem } from '../table.ts';
import { conversionAttributes, conversionItem } from './conversion-item.ts';

const quoteItem = z.object({
  quoteId: z.string(),
  accountId: z.string(),
  conversion: conversionItem,
  expiresAt: z.number(),
  usedBy: z.string().optional(),
});

const dayInSeconds = 86_400;

export const keepQuote = ({ table, accountId }: Context, { quoteId, conversion, expiresAt }: Quote): Promise<void> =>
  putItem(table, {
    ...keys.quote(quoteId),
    quoteId,
    conversion: conversionAttributes(conversion),
    expiresAt,
    accountId,
    // Kept for another day, so that a late caller gets "expired" instead of "not found".
    timeToLive: Math.ceil(expiresAt / 1000) + dayInSeconds,
  });

type FoundQuote =
  | { readonly kind: 'usable'; readonly quote: Quote }
  | { readonly kind: 'not_found' | 'expired' | 'used' };

/** A quote of this account. Quotes of other accounts are not found. */
export const findQuote = async ({ table, accountId, now }: Context, quoteId: string): Promise<FoundQuote> => {
  const item = await getItem(table, keys.quote(quoteId));
  if (item === undefined) return { kind: 'not_found' };
  const { accountId: owner, usedBy, ...quote } = quoteItem.parse(item);
  if (owner !== accountId) return { kind: 'not_found' };
  if (usedBy !== undefined) return { kind: 'used' };
  return quote.expiresAt > now().getTime() ? { kind: 'usable', quote } : { kind: 'expired' };
};

/** The write that uses a quote up, on condition that it is unused. */
export const useQuote = (table: Table, quoteId: string, usedBy: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keys.quote(quoteId),
    UpdateExpression: 'SET usedBy = :by',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedBy)',
    ExpressionAttributeValues: { ':by': usedBy },
  },
});
