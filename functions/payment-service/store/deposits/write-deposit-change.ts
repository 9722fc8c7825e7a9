import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { depositEntries } from '../../domain/deposits/entries.ts';
import type { DepositChange } from '../../domain/deposits/lifecycle.ts';
import { depositAnnouncement } from '../../webhooks/announcement.ts';
import type { OpeningBalances } from '../balances.ts';
import { moveBalance, readBalance } from '../balances.ts';
import { keys } from '../keys.ts';
import { momentIn, moveInList, readListCount } from '../lists/writes.ts';
import type { Table, TransactItem } from '../table.ts';
import { cancellationOf } from '../table.ts';
import { depositList } from './deposit-item.ts';

export interface DepositChangePorts {
  readonly table: Table;
  readonly openingBalances: OpeningBalances;
}

export type WrittenChange =
  | { readonly kind: 'changed'; readonly deposit: Deposit }
  | { readonly kind: 'insufficient_balance' }
  /** Somebody else changed the deposit or a balance at the same time: decide again on what is there now. */
  | { readonly kind: 'outdated' };

const updateOf = (table: Table, { before, after }: DepositChange, announce: string | undefined): TransactItem => {
  const set = {
    status: after.status,
    outcome: after.outcome,
    changes: after.changes,
    version: after.version,
    changeNumber: after.changeNumber,
    updatedAt: after.updatedAt,
  };
  // Without a value they must go: an old announcement would be sent again.
  const optional = Object.entries({ paidAt: after.paidAt, announce });
  const given = [...Object.entries(set), ...optional.filter(([, value]) => value !== undefined)];
  const gone = optional.filter(([, value]) => value === undefined).map(([name]) => `#${name}`);
  return {
    Update: {
      TableName: table.name,
      Key: keys.deposit(before.depositId),
      UpdateExpression: [
        `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ...(gone.length === 0 ? [] : [`REMOVE ${gone.join(', ')}`]),
      ].join(' '),
      ConditionExpression: '#version = :was',
      ExpressionAttributeNames: Object.fromEntries(
        [...Object.keys(set), 'paidAt', 'announce'].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: {
        ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
        ':was': before.version,
      },
    },
  };
};

/**
 * Writes a change of a deposit, with what it moves in the ledger and in the list, and the webhook that tells of it, in one
 * transaction: so a paid deposit is credited exactly when it is completed, and once.
 */
export const writeDepositChange = async (
  { table, openingBalances }: DepositChangePorts,
  { before, after: decided }: DepositChange,
  announced: boolean,
): Promise<WrittenChange> => {
  const { accountId, depositId, depositType: part, listNumber } = before;
  const list = depositList(accountId);
  const count = await readListCount(table, list);
  // The list's moments never go back, and the record tells the moment that it is sorted by.
  const updatedAt = momentIn(count, decided.updatedAt);
  const moved = moveInList(
    table,
    list,
    count,
    { groupId: depositId, part, listNumber },
    [{ position: 0, from: before.status, to: decided.status, changeNumber: before.changeNumber }],
    updatedAt,
  );
  const after = { ...decided, updatedAt, changeNumber: moved.changeNumber };
  const announce = announced ? depositAnnouncement({ before, after }) : undefined;
  const writes = [updateOf(table, { before, after }, announce), ...moved.writes];
  for (const entry of depositEntries({ before, after })) {
    const balance = await readBalance(table, openingBalances, accountId, entry.currency);
    const move = moveBalance(table, accountId, balance, entry);
    if (move.kind === 'insufficient') return { kind: 'insufficient_balance' };
    writes.push(...move.writes);
  }
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return { kind: 'changed', deposit: after };
  } catch (error) {
    if (cancellationOf(error) === undefined) throw error;
    return { kind: 'outdated' };
  }
};
