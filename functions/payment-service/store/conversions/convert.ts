import * as z from 'zod';
import type { Conversion } from '../../domain/conversions/conversion.ts';
import { conversionEntries } from '../../domain/conversions/ledger-entries.ts';
import { moveBalance, readBalance } from '../balances.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { retryConflicts } from '../retry.ts';
import { failedCondition, getItem, putIfFree, putNew, transact } from '../table.ts';
import { conversionAttributes } from './conversion-item.ts';
import { useQuote } from './quotes.ts';

/** The item of a conversion, or one that keeps a given-up conversion from being stored. */
const storedItem = z.object({ state: z.literal('abandoned').optional() });

/** Whether the conversion is stored. Before its transaction succeeds, an attempt that the client had given up can store it. */
const isWritten = async ({ table }: Context, convertId: string): Promise<boolean> => {
  const item = await getItem(table, keys.conversion(convertId), storedItem);
  return item !== undefined && item.state === undefined;
};

/**
 * Moves both balances, stores the conversion and uses its quote up, all in one transaction. The id is new. So a conversion that
 * is stored already was stored by an attempt of this transaction.
 */
export const convert = async (
  context: Context,
  convertId: string,
  conversion: Conversion,
  quoteId: string | undefined,
): Promise<'converted' | 'insufficient_balance' | 'quote_used' | 'busy'> => {
  const { table, accountId } = context;
  const outcome = await retryConflicts(context, async () => {
    const at = context.now().toISOString();
    const [input, output] = await Promise.all([
      readBalance(context, conversion.input.currency),
      readBalance(context, conversion.total.currency),
    ]);
    const entries = conversionEntries({ id: convertId, at }, conversion);
    const leaving = moveBalance(context, input, entries.input);
    const arriving = moveBalance(context, output, entries.output);
    if (leaving === undefined || arriving === undefined)
      return (await isWritten(context, convertId)) ? 'converted' : 'insufficient_balance';
    const record = {
      ...keys.conversion(convertId),
      convertId,
      accountId,
      ...conversionAttributes(conversion),
      quoteId,
      createdAt: at,
    };
    const using = quoteId === undefined ? [] : [useQuote(quoteId, convertId)];
    const canceled = await transact(table, [putNew(record), ...using, ...leaving, ...arriving]);
    if (canceled === undefined || failedCondition(canceled, 0)) return 'converted';
    return quoteId !== undefined && failedCondition(canceled, 1) ? 'quote_used' : 'again';
  });
  if (outcome !== undefined) return outcome;
  // Ensures that a conversion that is not stored never will be.
  await putIfFree(table, { ...keys.conversion(convertId), convertId, accountId, state: 'abandoned' });
  return (await isWritten(context, convertId)) ? 'converted' : 'busy';
};
