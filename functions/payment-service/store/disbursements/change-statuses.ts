import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { statusEntry } from '../../domain/disbursements/entries.ts';
import type { StatusChange } from '../../domain/disbursements/lifecycle.ts';
import { atMoment } from '../../domain/disbursements/lifecycle.ts';
import { memberNumber } from '../../domain/lists/search.ts';
import { Money } from '../../domain/money/money.ts';
import { announcementOf } from '../../webhooks/announcement.ts';
import type { OpeningBalances } from '../balances.ts';
import { moveBalance, readBalance } from '../balances.ts';
import { keys } from '../keys.ts';
import { lineWrite } from '../lists/lines.ts';
import type { ListMove } from '../lists/writes.ts';
import { momentIn, moveInList, readListCount, writesOfMoves } from '../lists/writes.ts';
import type { Pause, Table, TransactItem } from '../table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';

const transactionSize = 100;

/** What moving a balance takes: the balance itself and the entry of the ledger. */
const balanceWrites = 2;

/** The lines of a group of crypto disbursements. */
const lineWrites = 1;

const moveOf = ({ before, after }: StatusChange): ListMove => ({
  position: before.position,
  from: before.status,
  to: after.status,
  changeNumber: before.changeNumber,
});

/** Whether a status is left by one of these and taken by another: one update may not add to a set and take from it. */
const crosses = (changes: readonly StatusChange[]): boolean => {
  const moved = changes.map(moveOf).filter(({ from, to }) => from !== to);
  const left = new Set(moved.map(({ from }) => from));
  return moved.some(({ to }) => left.has(to));
};

const fitsOneTransaction = (changes: readonly StatusChange[]): boolean =>
  changes.length + writesOfMoves(changes.map(moveOf)) + balanceWrites + lineWrites <= transactionSize &&
  !crosses(changes);

/** Divides changes of a group into those that one transaction holds: each into the first that has room for it. */
export const changesAtOnce = (changes: readonly StatusChange[]): readonly (readonly StatusChange[])[] => {
  const parts: StatusChange[][] = [];
  for (const change of changes) {
    const part = parts.find((one) => fitsOneTransaction([...one, change]));
    if (part === undefined) parts.push([change]);
    else part.push(change);
  }
  return parts;
};

export interface ChangePorts {
  readonly table: Table;
  readonly openingBalances: OpeningBalances;
  readonly now: () => Date;
  readonly pause: Pause;
  readonly random: () => number;
}

export type ChangedStatuses =
  | { readonly kind: 'changed' }
  | { readonly kind: 'insufficient_balance' }
  /** Somebody else changed one of them at the same time: decide again on what is there now. */
  | { readonly kind: 'outdated' };

/** Writes what changes. `announce` stands only in an item whose last change is to be told to the merchant:
 * the table's stream takes it from there, so that no change is written without its webhook being on the way. */
const updateOf = (
  table: Table,
  change: StatusChange,
  changeNumber: number,
  announce: string | undefined,
): TransactItem => {
  const { before, after } = change;
  const set: Record<string, unknown> = {
    status: after.status,
    changes: after.changes,
    stepsTaken: after.stepsTaken,
    outcome: after.outcome,
    version: after.version,
    changeNumber,
    updatedAt: after.updatedAt,
    completedAt: after.completedAt,
    txHash: after.txHash,
    announce,
  };
  const given = Object.entries(set).filter(([, value]) => value !== undefined);
  const gone = Object.entries(set).filter(([, value]) => value === undefined);
  const removal = gone.length === 0 ? '' : ` REMOVE ${gone.map(([name]) => `#${name}`).join(', ')}`;
  return {
    Update: {
      TableName: table.name,
      Key: keys.disbursement(before.groupId, before.position),
      UpdateExpression: `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}${removal}`,
      ConditionExpression: '#version = :was',
      ExpressionAttributeNames: Object.fromEntries(Object.keys(set).map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
        ':was': before.version,
      },
    },
  };
};

const tryChange = async (
  ports: ChangePorts,
  group: CommittedGroup,
  decided: readonly [StatusChange, ...StatusChange[]],
  announce: boolean,
): Promise<ChangedStatuses | 'again'> => {
  const { table } = ports;
  const { accountId, currency, rail, groupId, listNumber } = group;
  const list = { accountId, list: rail };
  const total = Money.sum(
    currency,
    decided.map(({ balanceDelta }) => balanceDelta),
  );
  const [count, balance] = await Promise.all([
    readListCount(table, list),
    total.isZero() ? undefined : readBalance(table, ports.openingBalances, accountId, currency),
  ]);
  const [first] = decided;
  const at = momentIn(count, first.after.updatedAt);
  const changes = decided.map((change) => atMoment(change, at));
  const moved = moveInList(table, list, count, { groupId, part: currency, listNumber }, changes.map(moveOf), at);
  const writes = [
    ...changes.map((change) =>
      updateOf(table, change, moved.changeNumber, announce ? announcementOf(change) : undefined),
    ),
    ...moved.writes,
  ];
  if (rail === 'crypto') {
    const lines = changes.map(({ after }) => ({
      member: memberNumber(listNumber, after.position),
      part: currency,
      status: after.status,
      changeNumber: moved.changeNumber,
    }));
    writes.push(lineWrite(table, list, listNumber, lines));
  }
  if (balance !== undefined) {
    const head = { id: `${first.after.disbursementId}#${first.after.version}`, at, currency };
    const move = moveBalance(table, accountId, balance, statusEntry(head, changes));
    if (move.kind === 'insufficient') return { kind: 'insufficient_balance' };
    writes.push(...move.writes);
  }
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return { kind: 'changed' };
  } catch (error) {
    const cancellation = cancellationOf(error);
    if (cancellation === undefined) throw error;
    return changes.some((_, index) => failedCondition(cancellation, index)) ? { kind: 'outdated' } : 'again';
  }
};

/**
 * Writes changes of one group's disbursements, one part of `changesAtOnce`, with what they move of the balance, in one
 * transaction: so a failed disbursement is refunded exactly when it fails, and once. All changes of a list meet at its
 * count, and those that lose come again here: what was decided stands as long as the disbursements are as they were.
 */
export const changeStatuses = async (
  ports: ChangePorts,
  group: CommittedGroup,
  changes: readonly StatusChange[],
  announce: boolean,
): Promise<ChangedStatuses> => {
  const [first, ...others] = changes;
  if (first === undefined) return { kind: 'changed' };
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const outcome = await tryChange(ports, group, [first, ...others], announce);
    if (outcome !== 'again') return outcome;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'outdated' };
};
