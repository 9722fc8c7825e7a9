import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Disbursement } from '../domain/disbursement.ts';
import type { ValuePath } from '../domain/disbursement-filter.ts';
import { filedUnder } from '../domain/disbursement-filter.ts';
import type { TransactItem } from './balances.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { keys } from './keys.ts';
import { nodeWrites, putEntry } from './list-items.ts';
import type { Pause, Table } from './table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition } from './table.ts';

interface FilePorts {
  readonly table: Table;
  readonly pause: Pause;
  readonly random: () => number;
  readonly reusableCryptoReferences: boolean;
}

/** A value is three writes: its entry, and the counts of a block and a shelf. */
const valuesAtOnce = 33;

/** What members of a value are counted by: their status is not followed here. */
const anyStatus = 'any';

interface Filed {
  readonly path: ValuePath;
  readonly positions: readonly number[];
}

function valuesOf(ports: FilePorts, disbursements: readonly Disbursement[]): readonly Filed[] {
  const positions = new Map<ValuePath, number[]>();
  for (const one of disbursements) {
    for (const path of filedUnder(one, ports)) positions.set(path, [...(positions.get(path) ?? []), one.position]);
  }
  return [...positions].map(([path, own]) => ({ path, positions: own }));
}

function writesOf(table: Table, group: CommittedGroup, { path, positions }: Filed): readonly TransactItem[] {
  const { accountId, rail, groupId, currency: part, listNumber: number, createdAt: at } = group;
  const list = { accountId, list: rail };
  const entry = { number, groupId, part, at, positions: [{ status: anyStatus, positions }] };
  const count = { number, part, status: anyStatus, by: positions.length };
  return [putEntry(table, list, path, entry), ...nodeWrites(table, list, path, [count], { first: number, at })];
}

/** Files values of a group, all or none; those that are filed already stay as they are. False when others were in the way. */
async function file(
  ports: FilePorts,
  group: CommittedGroup,
  values: readonly Filed[],
  attempts: number,
): Promise<boolean> {
  const writes = values.flatMap((value) => writesOf(ports.table, group, value));
  for (let tried = 0; tried < attempts; tried += 1) {
    try {
      await ports.table.client.send(new TransactWriteCommand({ TransactItems: writes }));
      return true;
    } catch (error) {
      const cancellation = cancellationOf(error);
      if (cancellation === undefined) throw error;
      if (writes.some((_, index) => failedCondition(cancellation, index))) return true;
      await ports.pause(conflictPause(tried, ports.random));
    }
  }
  return false;
}

/**
 * Files a committed crypto group under the values that lists of its rail can be filtered by, and says so in its item. Bank
 * transfers have no such filters. It may be done twice: by the POST, and by the worker when the POST was cut off.
 *
 * @param attempts at each part of it, when other POSTs are in the way
 * @returns false when they were in the way each time: it is left to the worker, or to its next look
 */
export async function fileValues(
  ports: FilePorts,
  group: CommittedGroup,
  disbursements: readonly Disbursement[],
  attempts = conflictAttempts,
): Promise<boolean> {
  if (group.rail !== 'crypto' || group.isFiled === true) return true;
  const values = valuesOf(ports, disbursements);
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    if (!(await file(ports, group, values.slice(start, start + valuesAtOnce), attempts))) return false;
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
}
