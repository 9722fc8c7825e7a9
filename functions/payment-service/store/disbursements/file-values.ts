import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import { filedUnder } from '../../domain/disbursements/disbursement-filter.ts';
import type { ValuePath } from '../../domain/lists/search.ts';
import { memberNumber } from '../../domain/lists/search.ts';
import { keys } from '../keys.ts';
import { valueWrite } from '../lists/values.ts';
import type { Pause, Table, TransactItem } from '../table.ts';
import { cancellationOf, conflictAttempts, conflictPause } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';

interface FilePorts {
  readonly table: Table;
  readonly pause: Pause;
  readonly random: () => number;
  readonly reusableCryptoReferences: boolean;
}

/** What a transaction takes. */
const valuesAtOnce = 100;

const writesOf = (
  ports: FilePorts,
  { accountId, rail, listNumber }: CommittedGroup,
  disbursements: readonly Disbursement[],
): readonly TransactItem[] => {
  const members = new Map<ValuePath, number[]>();
  for (const one of disbursements) {
    const member = memberNumber(listNumber, one.position);
    for (const path of filedUnder(one, ports)) members.set(path, [...(members.get(path) ?? []), member]);
  }
  return [...members].map(([path, own]) => valueWrite(ports.table, { accountId, list: rail }, path, listNumber, own));
};

/** Files some values of a group. False when others were in the way. */
const file = async (ports: FilePorts, writes: readonly TransactItem[], attempts: number): Promise<boolean> => {
  for (let tried = 0; tried < attempts; tried += 1) {
    try {
      await ports.table.client.send(new TransactWriteCommand({ TransactItems: [...writes] }));
      return true;
    } catch (error) {
      if (cancellationOf(error) === undefined) throw error;
      await ports.pause(conflictPause(tried, ports.random));
    }
  }
  return false;
};

/**
 * Files a committed crypto group under the values that lists of its rail can be filtered by, and says so in its item. Bank
 * transfers have no such filters. It may be done twice: by the POST, and by the worker when the POST was cut off.
 *
 * @param attempts at each part of it, when other POSTs are in the way
 * @returns false when they were in the way each time: it is left to the worker, or to its next look
 */
export const fileValues = async (
  ports: FilePorts,
  group: CommittedGroup,
  disbursements: readonly Disbursement[],
  attempts = conflictAttempts,
): Promise<boolean> => {
  if (group.rail !== 'crypto' || group.isFiled === true) return true;
  const writes = writesOf(ports, group, disbursements);
  for (let start = 0; start < writes.length; start += valuesAtOnce) {
    if (!(await file(ports, writes.slice(start, start + valuesAtOnce), attempts))) return false;
  }
  await ports.table.client.send(
    new UpdateCommand({
      TableName: ports.table.name,
      Key: keys.group(group.groupId),
      UpdateExpression: 'SET isFiled = :yes',
      ExpressionAttributeValues: { ':yes': true },
    }),
  );
  return true;
};
