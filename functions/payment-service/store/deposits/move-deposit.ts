import type { Deposit, DepositStatus, DepositType } from '../../domain/deposits/deposit.ts';
import type { DepositChange, DepositMove } from '../../domain/deposits/lifecycle.ts';
import { isOverdue, moveDeposit, setDepositByHand } from '../../domain/deposits/lifecycle.ts';
import type { Pause } from '../table.ts';
import { conflictAttempts, conflictPause } from '../table.ts';
import { readDeposit, readOwnDeposit } from './read-deposit.ts';
import type { DepositChangePorts } from './write-deposit-change.ts';
import { writeDepositChange } from './write-deposit-change.ts';

export interface MoveDepositPorts extends DepositChangePorts {
  readonly now: () => Date;
  readonly pause: Pause;
  readonly random: () => number;
  /** Whether expiries and cancellations are announced too: payments and sandbox updates always are. */
  readonly everyChange: boolean;
}

export type MovedDeposit =
  | { readonly kind: 'moved'; readonly deposit: Deposit }
  | { readonly kind: 'not_found' }
  /** Expired, cancelled or paid before; `deposit` is as it is now. */
  | { readonly kind: 'not_pending'; readonly deposit: Deposit }
  | { readonly kind: 'insufficient_balance' }
  | { readonly kind: 'busy' };

type Decide = (
  deposit: Deposit,
  now: Date,
) => { readonly change: DepositChange; readonly announced: boolean } | undefined;

/** Reads, decides and writes, and does so again when the deposit or a balance moved meanwhile. */
const change = async (
  ports: MoveDepositPorts,
  read: () => Promise<Deposit | undefined>,
  decide: Decide,
): Promise<MovedDeposit> => {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const deposit = await read();
    if (deposit === undefined) return { kind: 'not_found' };
    const decided = decide(deposit, ports.now());
    if (decided === undefined) return { kind: 'not_pending', deposit };
    const written = await writeDepositChange(ports, decided.change, decided.announced);
    if (written.kind === 'changed') return { kind: 'moved', deposit: written.deposit };
    if (written.kind === 'insufficient_balance') return written;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
};

const deciding =
  (ports: MoveDepositPorts, move: DepositMove): Decide =>
  (deposit, now) => {
    const decided = moveDeposit(deposit, move, now);
    return decided && { change: decided, announced: move === 'pay' || ports.everyChange };
  };

/** Moves a deposit that is past its time. `not_pending` when it has moved meanwhile. */
const expireOverdue = async (ports: MoveDepositPorts, depositId: string): Promise<MovedDeposit> =>
  await change(
    ports,
    () => readDeposit(ports.table, depositId),
    (deposit, now) => (isOverdue(deposit, now) ? deciding(ports, 'expire')(deposit, now) : undefined),
  );

/**
 * The deposit as it is at this moment: one past its time is expired at once, by whoever meets it first, so that nobody is
 * told of a pending deposit that cannot be paid any more.
 */
export const upToDate = async (ports: MoveDepositPorts, deposit: Deposit): Promise<Deposit> => {
  if (!isOverdue(deposit, ports.now())) return deposit;
  const expired = await expireOverdue(ports, deposit.depositId);
  return expired.kind === 'moved' || expired.kind === 'not_pending' ? expired.deposit : deposit;
};

/** Pays, expires or cancels a pending deposit. A payment or a cancellation after its time finds it expired. */
export const makeMove = async (
  ports: MoveDepositPorts,
  depositId: string,
  move: DepositMove,
): Promise<MovedDeposit> => {
  const moved = await change(ports, () => readDeposit(ports.table, depositId), deciding(ports, move));
  return moved.kind === 'not_pending' ? { ...moved, deposit: await upToDate(ports, moved.deposit) } : moved;
};

/** The same for a merchant, who can move own deposits only. */
export const makeOwnMove = async (
  ports: MoveDepositPorts,
  accountId: string,
  depositId: string,
  move: DepositMove,
): Promise<MovedDeposit> => {
  const deposit = await readDeposit(ports.table, depositId);
  return deposit?.accountId === accountId ? await makeMove(ports, depositId, move) : { kind: 'not_found' };
};

/** Sets a status by hand, money included, and has it announced. */
export const setDepositStatus = async (
  ports: MoveDepositPorts,
  accountId: string,
  depositId: string,
  status: DepositStatus,
): Promise<MovedDeposit> => {
  const found = await readDeposit(ports.table, depositId);
  if (found?.accountId !== accountId) return { kind: 'not_found' };
  return await change(
    ports,
    () => readDeposit(ports.table, depositId),
    (deposit, now) => ({ change: setDepositByHand(deposit, status, now), announced: true }),
  );
};

/** By id or reference, as it is at this moment. Without a type, one of either; one of the other type is not found. */
export const findDeposit = async (
  ports: MoveDepositPorts,
  accountId: string,
  depositType: DepositType | undefined,
  idOrReference: string,
): Promise<Deposit | undefined> => {
  const deposit = await readOwnDeposit(ports.table, accountId, idOrReference);
  if (deposit === undefined) return undefined;
  return depositType === undefined || deposit.depositType === depositType ? await upToDate(ports, deposit) : undefined;
};
