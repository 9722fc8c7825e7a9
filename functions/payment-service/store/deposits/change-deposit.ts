import { mostChanges } from '../../domain/activity.ts';
import type { Deposit, DepositStatus } from '../../domain/deposits/deposit.ts';
import { depositEntries } from '../../domain/deposits/ledger-entries.ts';
import type { DepositChange, DepositMove } from '../../domain/deposits/lifecycle.ts';
import { atMoment, isOverdue, moveDeposit, nextMove, setDepositByHand } from '../../domain/deposits/lifecycle.ts';
import { depositAnnouncement } from '../../webhooks/announcement.ts';
import { moveBalance, readBalance } from '../balances.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { momentIn, moveInList, nextPlace, readListCount } from '../lists/list-changes.ts';
import { retryConflicts } from '../retry.ts';
import type { TransactItem } from '../table.ts';
import { transact, updateVersioned } from '../table.ts';
import { depositList } from './deposit-item.ts';
import { readDeposit } from './read-deposit.ts';

type ChangedDeposit =
  | { readonly kind: 'changed'; readonly deposit: Deposit }
  /** The move is not possible: no longer pending, overdue, or not due yet. `deposit` is its current state. */
  | { readonly kind: 'not_pending'; readonly deposit: Deposit }
  | { readonly kind: 'not_found' | 'too_many_changes' | 'insufficient_balance' | 'busy' };

const updateOf = ({ before, after }: DepositChange, announce: string | undefined): TransactItem => {
  const { status, outcome, changes, version, changeId, changeNumber, updatedAt, paidAt } = after;
  // `announce` is removed unless this change is announced. Otherwise, an old text would be sent again.
  const moved = { status, outcome, changes, version, changeId, changeNumber, updatedAt, paidAt, announce };
  return updateVersioned(keys.deposit(before.depositId), before.version, moved);
};

/**
 * Writes a change of a deposit and its consequences in one transaction: ledger entries, list and webhook. So a deposit
 * is credited once, at the moment it is completed.
 */
const write = async (
  context: Context,
  decided: DepositChange,
  changeId: string,
  announces: boolean,
): Promise<ChangedDeposit | 'again'> => {
  const { depositId, depositType: part, listNumber } = decided.before;
  const list = depositList(context);
  const count = await readListCount(list);
  // Moments in a list never go back. The record carries the moment by which it is sorted.
  const updatedAt = momentIn(count, decided.after.updatedAt);
  const { before, after } = atMoment(decided, updatedAt);
  const moves = moveInList(
    list,
    count,
    { groupId: depositId, part, listNumber },
    [{ before: { ...before, position: 0 }, after }],
    updatedAt,
  );
  const change = { before, after: { ...after, changeId, changeNumber: nextPlace(count).changeNumber } };
  const writes = [updateOf(change, announces ? depositAnnouncement(change) : undefined), ...moves];
  for (const entry of depositEntries(change)) {
    const move = moveBalance(context, await readBalance(context, entry.currency), entry);
    if (move === undefined) return { kind: 'insufficient_balance' };
    writes.push(...move);
  }
  const canceled = await transact(context.table, writes);
  return canceled === undefined ? { kind: 'changed', deposit: change.after } : 'again';
};

type Decide = (
  deposit: Deposit,
  now: Date,
) => { readonly change: DepositChange; readonly announces: boolean } | 'too_many_changes' | undefined;

/**
 * Reads, decides and writes. Starts again when the deposit or a balance moved in the meantime. A change that an attempt given up
 * by the client wrote late is not made again: it has this change's id.
 */
const changeDeposit = async (context: Context, depositId: string, decide: Decide): Promise<ChangedDeposit> => {
  const changeId = context.randomHex();
  const outcome = await retryConflicts(context, async (): Promise<ChangedDeposit | 'again'> => {
    const deposit = await readDeposit(context, depositId);
    if (deposit === undefined) return { kind: 'not_found' };
    if (deposit.changeId === changeId) return { kind: 'changed', deposit };
    const decided = decide(deposit, context.now());
    if (decided === 'too_many_changes') return { kind: decided };
    return decided === undefined
      ? { kind: 'not_pending', deposit }
      : await write(context, decided.change, changeId, decided.announces);
  });
  return outcome ?? { kind: 'busy' };
};

/** Payments are always announced. Expiries and cancellations are announced if the settings say so. */
const deciding =
  ({ settings }: Context, move: DepositMove): Decide =>
  (deposit, now) => {
    const change = moveDeposit(deposit, move, now);
    return change && { change, announces: move === 'pay' || settings.webhooks.everyChange };
  };

/**
 * The deposit's current state. An overdue deposit is first expired, so that no answer shows a pending deposit that can
 * no longer be paid.
 */
export const expireIfOverdue = async (context: Context, deposit: Deposit): Promise<Deposit> => {
  if (!isOverdue(deposit, context.now())) return deposit;
  const expired = await changeDeposit(context, deposit.depositId, (one, now) =>
    isOverdue(one, now) ? deciding(context, 'expire')(one, now) : undefined,
  );
  return expired.kind === 'changed' || expired.kind === 'not_pending' ? expired.deposit : deposit;
};

/** Pays, expires or cancels a pending deposit of the account. An overdue deposit can only be expired. */
export const makeDepositMove = async (context: Context, depositId: string, move: DepositMove) => {
  const changed = await changeDeposit(context, depositId, deciding(context, move));
  return changed.kind === 'not_pending'
    ? { ...changed, deposit: await expireIfOverdue(context, changed.deposit) }
    : changed;
};

/** Makes the move that is due by itself, if there still is one: a sandbox update may have ended it meanwhile. */
export const makeDueMove = (context: Context, depositId: string): Promise<ChangedDeposit> =>
  changeDeposit(context, depositId, (deposit, now) => {
    const next = nextMove(deposit, context.settings.deposits.autopaySeconds);
    return next !== undefined && next.at <= now.getTime() ? deciding(context, next.move)(deposit, now) : undefined;
  });

/** The sandbox update: sets a status by hand, money included, and announces it. */
export const setDepositStatus = (context: Context, depositId: string, status: DepositStatus): Promise<ChangedDeposit> =>
  changeDeposit(context, depositId, (deposit, now) =>
    deposit.changes.length < mostChanges
      ? { change: setDepositByHand(deposit, status, now), announces: true }
      : 'too_many_changes',
  );
