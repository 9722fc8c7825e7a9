import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Conversion, Quote } from '../domain/conversion.ts';
import { conversionEntries } from '../domain/ledger.ts';
import type { OpeningBalances, TransactItem } from './balances.ts';
import { moveBalance, readBalance } from './balances.ts';
import { keys } from './keys.ts';
import type { Pause, Table } from './table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition } from './table.ts';

const conversionItem = z.object({
  inputCurrency: z.string(),
  inputAmount: z.string(),
  outputCurrency: z.string(),
  rate: z.string(),
  convertedAmount: z.string(),
  fee: z.string(),
  totalConvertedAmount: z.string(),
  markupRatePercentage: z.string(),
  wantedOutputAmount: z.string().optional(),
});

const quoteItem = z.object({
  quoteId: z.string(),
  accountId: z.string(),
  conversion: conversionItem,
  expiresAt: z.number(),
  usedBy: z.string().optional(),
});

const dayInSeconds = 86_400;

export async function keepQuote(table: Table, accountId: string, quote: Quote): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...keys.quote(quote.quoteId),
        ...quote,
        accountId,
        // Kept a day longer, so that a late caller hears "expired" and not "not found".
        timeToLive: Math.ceil(quote.expiresAt / 1000) + dayInSeconds,
      },
    }),
  );
}

export type FoundQuote =
  | { readonly kind: 'usable'; readonly quote: Quote }
  | { readonly kind: 'not_found' | 'expired' | 'used' };

/** A quote is bound to its account: another's is not found. */
export async function findQuote(table: Table, accountId: string, quoteId: string, now: Date): Promise<FoundQuote> {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.quote(quoteId), ConsistentRead: true }),
  );
  if (answer.Item === undefined) return { kind: 'not_found' };
  const { accountId: owner, usedBy, ...quote } = quoteItem.parse(answer.Item);
  if (owner !== accountId) return { kind: 'not_found' };
  if (usedBy !== undefined) return { kind: 'used' };
  return quote.expiresAt > now.getTime() ? { kind: 'usable', quote } : { kind: 'expired' };
}

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

export type ConversionOutcome =
  | { readonly kind: 'converted' }
  | { readonly kind: 'insufficient_balance' }
  | { readonly kind: 'quote_used' }
  | { readonly kind: 'busy' };

export interface ConversionOrder {
  readonly convertId: string;
  readonly accountId: string;
  readonly conversion: Conversion;
  readonly quoteId: string | undefined;
}

export interface ConversionPorts {
  readonly table: Table;
  readonly openingBalances: OpeningBalances;
  readonly now: () => Date;
  readonly pause: Pause;
  readonly random: () => number;
}

async function attempt(ports: ConversionPorts, order: ConversionOrder): Promise<ConversionOutcome | 'again'> {
  const { table, openingBalances } = ports;
  const { accountId, conversion, convertId, quoteId } = order;
  const at = ports.now().toISOString();
  const [input, output] = await Promise.all([
    readBalance(table, openingBalances, accountId, conversion.inputCurrency),
    readBalance(table, openingBalances, accountId, conversion.outputCurrency),
  ]);
  const entries = conversionEntries({ id: convertId, at }, conversion);
  const leaves = moveBalance(table, accountId, input, entries.input);
  const arrives = moveBalance(table, accountId, output, entries.output);
  if (leaves.kind === 'insufficient' || arrives.kind === 'insufficient') return { kind: 'insufficient_balance' };
  const record = {
    Put: {
      TableName: table.name,
      Item: { ...keys.conversion(convertId), convertId, accountId, ...conversion, quoteId, createdAt: at },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
  const writes = [
    ...(quoteId === undefined ? [] : [useQuote(table, quoteId, convertId)]),
    record,
    ...leaves.writes,
    ...arrives.writes,
  ];
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return { kind: 'converted' };
  } catch (error) {
    const cancellation = cancellationOf(error);
    if (cancellation === undefined) throw error;
    return quoteId !== undefined && failedCondition(cancellation, 0) ? { kind: 'quote_used' } : 'again';
  }
}

/** Moves both balances, writes the conversion and uses its quote up, all in one transaction. */
export async function convert(ports: ConversionPorts, order: ConversionOrder): Promise<ConversionOutcome> {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const outcome = await attempt(ports, order);
    if (outcome !== 'again') return outcome;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
}
