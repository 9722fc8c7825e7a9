import type { DepositType } from '../../domain/deposits/deposit.ts';
import type { Context } from '../context.ts';
import { unlessLagging } from '../sandbox/lookup-lag.ts';
import { expireIfOverdue } from './change-deposit.ts';
import { readByIdOrReference } from './read-deposit.ts';

/**
 * Looks a deposit up by id or reference, in its current state.
 *
 * @param depositType a deposit of the other type is not found; undefined finds both
 */
export const findDeposit = async (context: Context, depositType: DepositType | undefined, idOrReference: string) => {
  const deposit = await readByIdOrReference(context, idOrReference);
  const isWanted = deposit !== undefined && (depositType ?? deposit.depositType) === deposit.depositType;
  return await unlessLagging(context, isWanted ? await expireIfOverdue(context, deposit) : undefined);
};
