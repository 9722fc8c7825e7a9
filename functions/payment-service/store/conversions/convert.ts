import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import { conversionEntries } from '../../domain/conversions/entries.ts';
import type { OpeningBalances } from '../balances.ts';
import { moveBalance, readBalance } from '../balances.ts';
import { keys } from '../keys.ts';
import type { Pause, Table } from '../table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition } from '../table.ts';
import { conversionAttributes } from './conversion-item.ts';
import { useQuote } from './quotes.ts';

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

const attempt = async (ports: ConversionPorts, order: ConversionOrder): Promise<ConversionOutcome | 'again'> => {
  const { table, openingBalances } = ports;
  const { accountId, conversion, convertId, quoteId } = order;
  const at = ports.now().toISOString();
  const [input, output] = await Promise.all([
    readBalance(table, openingBalances, accountId, conversion.input.currency),
    readBalance(table, openingBalances, accountId, conversion.total.currency),
  ]);
  const entries = conversionEntries({ id: convertId, at }, conversion);
  const leaves = moveBalance(table, accountId, input, entries.input);
  const arrives = moveBalance(table, accountId, output, entries.output);
  if (leaves.kind === 'insufficient' || arrives.kind === 'insufficient') return { kind: 'insufficient_balance' };
  const record = {
    Put: {
      TableName: table.name,
      Item: {
        ...keys.conversion(convertId),
        convertId,
        accountId,
        ...conversionAttributes(conversion),
        quoteId,
        createdAt: at,
      },
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
};

/** Moves both balances, writes the conversion and uses its quote up, all in one transaction. */
export const convert = async (ports: ConversionPorts, order: ConversionOrder): Promise<ConversionOutcome> => {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const outcome = await attempt(ports, order);
    if (outcome !== 'again') return outcome;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
};
