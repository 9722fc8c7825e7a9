import type { Deposit } from '../domain/deposits/deposit.ts';
import type { DepositMove } from '../domain/deposits/lifecycle.ts';
import { nextMove } from '../domain/deposits/lifecycle.ts';
import type { MovedDeposit } from '../store/deposits/move-deposit.ts';
import type { DepositMessage } from './message.ts';
import type { NextLook } from './settle-group.ts';

/** Longer than any POST can take: a deposit that is not there by then never will be. */
const giveUpMilliseconds = 60_000;

/** A POST that is still at work is looked for again so much later. */
const patienceMilliseconds = 5000;

export interface DepositSettlementPorts {
  readonly autopaySeconds: number;
  readonly now: () => Date;
  readonly readDeposit: (depositId: string) => Promise<Deposit | undefined>;
  readonly makeMove: (depositId: string, move: DepositMove) => Promise<MovedDeposit>;
}

/**
 * Looks at a deposit: makes the move that is due. One that does not exist is looked for again, until it is certain that
 * its POST has ended. Looking twice moves nothing twice.
 */
export const settleDeposit = async (ports: DepositSettlementPorts, message: DepositMessage): Promise<NextLook> => {
  const deposit = await ports.readDeposit(message.depositId);
  const now = ports.now().getTime();
  if (deposit === undefined) {
    const certainAt = Date.parse(message.postedAt) + giveUpMilliseconds;
    return now < certainAt ? now + patienceMilliseconds : undefined;
  }
  const next = nextMove(deposit, ports.autopaySeconds);
  if (next === undefined) return undefined;
  if (next.at > now) return next.at;
  const moved = await ports.makeMove(deposit.depositId, next.move);
  if (moved.kind === 'busy') throw new Error('the deposit is changed by others all the time');
  return undefined;
};
