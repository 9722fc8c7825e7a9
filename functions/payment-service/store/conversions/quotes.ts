import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Quote } from '../../domain/conversions/conversion.ts';
import { keys } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import { conversionAttributes, conversionItem } from './conversion-item.ts';

const quoteItem = z.object({
  quoteId: z.string(),
  accountId: z.string(),
  conversion: conversionItem,
  expiresAt: z.number(),
  usedBy: z.string().optional(),
});

const dayInSeconds = 86_400;

export const keepQuote = async (
  table: Table,
  accountId: string,
  { quoteId, conversion, expiresAt }: Quote,
): Promise<void> => {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...keys.quote(quoteId),
        quoteId,
        conversion: conversionAttributes(conversion),
        expiresAt,
        accountId,
        // Kept a day longer, so that a late caller hears "expired" and not "not found".
        timeToLive: Math.ceil(expiresAt / 1000) + dayInSeconds,
      },
    }),
  );
};

export type FoundQuote =
  | { readonly kind: 'usable'; readonly quote: Quote }
  | { readonly kind: 'not_found' | 'expired' | 'used' };

/** A quote is bound to its account: another's is not found. */
export const findQuote = async (table: Table, accountId: string, quoteId: string, now: Date): Promise<FoundQuote> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.quote(quoteId), ConsistentRead: true }),
  );
  if (answer.Item === undefined) return { kind: 'not_found' };
  const { accountId: owner, usedBy, ...quote } = quoteItem.parse(answer.Item);
  if (owner !== accountId) return { kind: 'not_found' };
  if (usedBy !== undefined) return { kind: 'used' };
  return quote.expiresAt > now.getTime() ? { kind: 'usable', quote } : { kind: 'expired' };
};

/** The write that uses a quote up, on condition that nothing has used it before. */
export const useQuote = (table: Table, quoteId: string, usedBy: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keys.quote(quoteId),
    UpdateExpression: 'SET usedBy = :by',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedBy)',
    ExpressionAttributeValues: { ':by': usedBy },
  },
});
