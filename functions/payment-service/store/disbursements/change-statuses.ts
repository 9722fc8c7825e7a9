import { mostChanges } from '../../domain/activity.ts';
import type { DisbursementStatus } from '../../domain/disbursements/disbursement.ts';
import { statusesOf } from '../../domain/disbursements/disbursement.ts';
import { statusEntry } from '../../domain/disbursements/ledger-entries.ts';
import type { StatusChange } from '../../domain/disbursements/lifecycle.ts';
import { atMoment, movesMoney, setStatusByHand } from '../../domain/disbursements/lifecycle.ts';
import { disbursementAnnouncement } from '../../webhooks/announcement.ts';
import { moveBalance, readBalance } from '../balances.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { momentIn, moveInList, nextPlace, readListCount, writesOfMoves } from '../lists/list-changes.ts';
import { retryConflicts } from '../retry.ts';
import type { TransactItem } from '../table.ts';
import { failedCondition, transact, updateVersioned } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { findById } from './find-disbursement.ts';

const transactionSize = 100;

/** The balance, and the ledger entry. */
const balanceWrites = 2;

/**
 * Whether one disbursement leaves a status that another enters. An update cannot both add to a set and remove from it.
 */
const crosses = (changes: readonly StatusChange[]): boolean => {
  const moved = changes.filter(({ before, after }) => before.status !== after.status);
  const left = new Set(moved.map(({ before }) => before.status));
  return moved.some(({ after }) => left.has(after.status));
};

const fitsOneTransaction = (changes: readonly StatusChange[]): boolean =>
  changes.length + writesOfMoves(changes) + balanceWrites <= transactionSize && !crosses(changes);

type Part = [StatusChange, ...StatusChange[]];

/** Splits changes of a group into parts that each fit one transaction. A change goes into the first part with room. */
export const splitChanges = (changes: readonly StatusChange[]): readonly Readonly<Part>[] => {
  const parts: Part[] = [];
  for (const change of changes) {
    const part = parts.find((one) => fitsOneTransaction([...one, change]));
    if (part === undefined) parts.push([change]);
    else part.push(change);
  }
  return parts;
};

/**
 * `outdated`: one of the disbursements changed in the meantime, or every attempt lost to another change of the list or the
 * balance. Decide again on the current ones.
 */
type ChangedStatuses = 'changed' | 'insufficient_balance' | 'outdated';

/**
 * The write of one change. The item has `announce` only while its last change is to be announced to the merchant. The
 * table's stream picks the text up from there, so no change is written without its webhook.
 */
const updateOf = (
  { before, after }: StatusChange,
  changeNumber: number,
  announce: string | undefined,
): TransactItem => {
  const { status, changes, stepsTaken, outcome, version, changeId, updatedAt, completedAt, txHash } = after;
  const moved = { status, changes, stepsTaken, outcome, version, changeNumber, updatedAt, completedAt, txHash };
  const key = keys.disbursement(before.groupId, before.position);
  return updateVersioned(key, before.version, { ...moved, changeId, announce });
};

const tryChange = async (
  context: Context,
  group: CommittedGroup,
  decided: Readonly<Part>,
  announces: boolean,
): Promise<ChangedStatuses | 'again'> => {
  const { currency, rail, groupId, listNumber } = group;
  const list = { ...context, list: rail };
  const [count, balance] = await Promise.all([
    readListCount(list),
    decided.some(movesMoney) ? readBalance(context, currency) : undefined,
  ]);
  const [first] = decided;
  const at = momentIn(count, first.after.updatedAt);
  const changes = decided.map((change) => atMoment(change, at));
  const { changeNumber } = nextPlace(count);
  const writes = [
    ...changes.map((change) =>
      updateOf(change, changeNumber, announces ? disbursementAnnouncement(change) : undefined),
    ),
    ...moveInList(list, count, { groupId, part: currency, listNumber }, changes, at),
  ];
  if (balance !== undefined) {
    const head = { id: `${first.after.disbursementId}#${first.after.version}`, at, currency };
    const move = moveBalance(context, balance, statusEntry(head, changes));
    if (move === undefined) return 'insufficient_balance';
    writes.push(...move);
  }
  const canceled = await transact(context.table, writes);
  if (canceled === undefined) return 'changed';
  return changes.some((_, index) => failedCondition(canceled, index)) ? 'outdated' : 'again';
};

/**
 * Writes changes of one group's disbursements (one part of `splitChanges`) and their movement of the balance in one
 * transaction. So a disbursement is refunded once, at the moment it fails. All changes of a list compete for its count.
 * Those that lose try again, and stay valid while the disbursements are unchanged.
 */
export const changeStatuses = async (
  context: Context,
  group: CommittedGroup,
  changes: Readonly<Part>,
  announces: boolean,
): Promise<ChangedStatuses> =>
  (await retryConflicts(context, () => tryChange(context, group, changes, announces))) ?? 'outdated';

type SetDisbursementStatus =
  | { readonly kind: 'set' }
  | { readonly kind: 'not_found' | 'too_many_changes' | 'insufficient_balance' | 'busy' }
  | { readonly kind: 'not_allowed'; readonly allowed: readonly DisbursementStatus[] };

/**
 * The sandbox update: sets a status by hand, money included, and announces it. Decides again when the disbursement has
 * changed. An update that an attempt given up by the client wrote late is not made again: it has this update's id.
 */
export const setDisbursementStatus = async (
  context: Context,
  disbursementId: string,
  status: string,
): Promise<SetDisbursementStatus> => {
  const changeId = context.randomHex();
  const outcome = await retryConflicts(context, async (): Promise<SetDisbursementStatus | 'again'> => {
    const found = await findById(context, disbursementId);
    if (found === undefined) return { kind: 'not_found' };
    if (found.disbursement.changeId === changeId) return { kind: 'set' };
    const allowed = statusesOf(found.disbursement.rail);
    const wanted = allowed.find((one) => one === status);
    if (wanted === undefined) return { kind: 'not_allowed', allowed };
    if (found.disbursement.changes.length >= mostChanges) return { kind: 'too_many_changes' };
    const { before, after } = setStatusByHand(found.disbursement, wanted, context.now());
    const changed = await changeStatuses(context, found.group, [{ before, after: { ...after, changeId } }], true);
    if (changed === 'outdated') return 'again';
    return { kind: changed === 'changed' ? 'set' : changed };
  });
  return outcome ?? { kind: 'busy' };
};
