import * as z from 'zod';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { referencePattern } from '../../domain/reference.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { getItem } from '../table.ts';
import { depositItem } from './deposit-item.ts';

/** A deposit of the account by its id. Other texts than ids and references may exceed the table's key length. */
export const readDeposit = async ({ table, accountId }: Context, depositId: string): Promise<Deposit | undefined> => {
  const deposit = referencePattern.test(depositId)
    ? await getItem(table, keys.deposit(depositId), depositItem)
    : undefined;
  return deposit?.accountId === accountId ? deposit : undefined;
};

const referenceItem = z.object({ depositId: z.string() });

/** A deposit of the account by its id, or by the merchant's reference if no deposit has that id. */
export const readByIdOrReference = async (context: Context, idOrReference: string): Promise<Deposit | undefined> => {
  const byId = await readDeposit(context, idOrReference);
  if (byId !== undefined || !referencePattern.test(idOrReference)) return byId;
  const key = keys.depositReference(context.accountId, idOrReference);
  const reference = await getItem(context.table, key, referenceItem);
  return reference && (await readDeposit(context, reference.depositId));
};
