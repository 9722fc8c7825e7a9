import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Disbursement, DisbursementStatus } from '../domain/disbursement.ts';
import type { StatusChange } from '../domain/disbursement-lifecycle.ts';
import { statusEntry } from '../domain/ledger.ts';
import { isEqual, sum } from '../domain/money.ts';
import { announcementOf } from '../webhooks/announcement.ts';
import type { OpeningBalances, TransactItem } from './balances.ts';
import { moveBalance, readBalance } from './balances.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';
import { cancellationOf } from './table.ts';

/** A transaction holds 100 items; the list entry, the balance and its ledger entry take three. */
export const changesAtOnce = 97;

export interface ChangePorts {
  readonly table: Table;
  readonly openingBalances: OpeningBalances;
  readonly now: () => Date;
}

export type ChangedStatuses =
  | { readonly kind: 'changed' }
  | { readonly kind: 'insufficient_balance' }
  /** Somebody else changed one of them, or the balance, at the same time: decide again on what is there now. */
  | { readonly kind: 'outdated' };

/** Writes what changes. `announce` stands only in an item whose last change is to be told to the merchant:
 * the table's stream takes it from there, so that no change is written without its webhook being on the way. */
function updateOf(table: Table, change: StatusChange, announce: string | undefined): TransactItem {
  const { before, after } = change;
  const set: Record<string, unknown> = {
    status: after.status,
    changes: after.changes,
    stepsTaken: after.stepsTaken,
    outcome: after.outcome,
    version: after.version,
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
}

/** Keeps the number of disbursements by status in the group's list entry, which filtered lists count by. */
function countStatuses(table: Table, group: CommittedGroup, changes: readonly StatusChange[]): readonly TransactItem[] {
  const deltas = new Map<DisbursementStatus, number>();
  const count = (one: Disbursement, by: number) => deltas.set(one.status, (deltas.get(one.status) ?? 0) + by);
  for (const { before, after } of changes) {
    count(before, -1);
    count(after, 1);
  }
  const moved = [...deltas].filter(([, by]) => by !== 0);
  if (moved.length === 0) return [];
  return [
    {
      Update: {
        TableName: table.name,
        Key: keys.directory(group.accountId, group.rail, group.firstSequence),
        UpdateExpression: `ADD ${moved.map(([status]) => `statuses_${status} :${status}`).join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(moved.map(([status, by]) => [`:${status}`, by])),
      },
    },
  ];
}

/**
 * Writes changes of one group's disbursements, at most `changesAtOnce`, with what they move of the balance, in one
 * transaction: so a failed disbursement is refunded exactly when it fails, and once.
 */
export async function changeStatuses(
  ports: ChangePorts,
  group: CommittedGroup,
  changes: readonly StatusChange[],
  announce: boolean,
): Promise<ChangedStatuses> {
  const { table } = ports;
  const first = changes[0];
  if (first === undefined) return { kind: 'changed' };
  const delta = sum(changes.map((change) => change.balanceDelta));
  const writes = [
    ...changes.map((change) => updateOf(table, change, announce ? announcementOf(change) : undefined)),
    ...countStatuses(table, group, changes),
  ];
  if (!isEqual(delta, '0')) {
    const balance = await readBalance(table, ports.openingBalances, group.accountId, group.currency);
    const head = {
      id: `${first.after.disbursementId}#${first.after.version}`,
      at: ports.now().toISOString(),
      currency: group.currency,
    };
    const move = moveBalance(table, group.accountId, balance, statusEntry(head, changes));
    if (move.kind === 'insufficient') return { kind: 'insufficient_balance' };
    writes.push(...move.writes);
  }
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return { kind: 'changed' };
  } catch (error) {
    if (cancellationOf(error) === undefined) throw error;
    return { kind: 'outdated' };
  }
}
