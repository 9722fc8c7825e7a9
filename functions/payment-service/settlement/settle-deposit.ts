import { nextMove } from '../domain/deposits/lifecycle.ts';
import type { Context } from '../store/context.ts';
import { makeDueMove } from '../store/deposits/change-deposit.ts';
import { readDeposit } from '../store/deposits/read-deposit.ts';
import type { DepositMessage } from '../store/settlement-queue.ts';
import type { NextLook } from './next-look.ts';
import { remainingPostTime } from './next-look.ts';

/** The wait for a POST that may still be running. */
const patienceMilliseconds = 5000;

/**
 * Makes a deposit's due move. While the deposit does not exist, it is looked for again until its POST has surely ended.
 * Safe to run twice.
 *
 * @throws Error when other requests keep changing the deposit. The queue then delivers the message again
 */
export const settleDeposit = async (context: Context, { depositId, postedAt }: DepositMessage): Promise<NextLook> => {
  const deposit = await readDeposit(context, depositId);
  const now = context.now().getTime();
  if (deposit === undefined) return remainingPostTime(context, postedAt) > 0 ? now + patienceMilliseconds : undefined;
  const next = nextMove(deposit, context.settings.deposits.autopaySeconds);
  if (next === undefined) return undefined;
  if (next.at > now) return next.at;
  const moved = await makeDueMove(context, depositId);
  if (moved.kind === 'busy') throw new Error('other requests keep changing the deposit');
  return undefined;
};
