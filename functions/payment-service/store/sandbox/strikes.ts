import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Fault, PlannedFault } from '../../domain/sandbox/faults.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { injectedAttribute } from './sandbox-state.ts';

/** Whose faults, and as of which time they were set. */
export interface FaultsOf {
  readonly clientId: string;
  readonly accountId: string;
  readonly faultsVersion: number;
}

const held = async (update: Promise<unknown>): Promise<boolean> => {
  try {
    await update;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

interface Counting {
  /** Beside the counter of the kind. */
  readonly set?: string;
  /** Where `left` is looked at too: a word of DynamoDB's own, which an expression cannot name. */
  readonly left?: string;
}

/** Counts a strike by its kind, unless the merchant has set other faults since, or begun anew. */
const count = (table: Table, of: FaultsOf, fault: Fault, { set = '', left }: Counting = {}): Promise<boolean> => {
  const isFirst = of.faultsVersion === 0;
  const conditions = [
    isFirst ? 'attribute_not_exists(faultsVersion)' : 'faultsVersion = :version',
    ...(left === undefined ? [] : [`${left} > :none`]),
  ];
  return held(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.sandbox(of.clientId),
        UpdateExpression: `${set} ADD #injected :one`,
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: {
          '#injected': injectedAttribute(fault),
          ...(left === undefined ? {} : { '#left': 'left' }),
        },
        ExpressionAttributeValues: {
          ':one': 1,
          ...(isFirst ? {} : { ':version': of.faultsVersion }),
          ...(left === undefined ? {} : { ':none': 0 }),
        },
      }),
    ),
  );
};

/** One of the strikes that a magic reference has; they are counted by itself. */
const useMagic = (table: Table, accountId: string, reference: string, left: number): Promise<boolean> =>
  held(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keys.magicFault(accountId, reference),
        UpdateExpression: 'ADD strikes :one',
        ConditionExpression: 'attribute_not_exists(strikes) OR strikes < :left',
        ExpressionAttributeValues: { ':one': 1, ':left': left },
      }),
    ),
  );

/**
 * Takes one strike of a fault, by a conditional write: of those for the next N no more than N are ever taken, however
 * many ask at once.
 *
 * @returns false when there is none left, or the merchant has set other faults since
 */
export const takeStrike = async (table: Table, of: FaultsOf, planned: PlannedFault): Promise<boolean> => {
  const { source, fault, left } = planned;
  if ('place' in source) {
    const rule = `faults[${source.place}]`;
    const injected = `${rule}.injected = ${rule}.injected + :one`;
    return left === undefined
      ? await count(table, of, fault, { set: `SET ${injected}` })
      : await count(table, of, fault, {
          set: `SET ${injected}, ${rule}.#left = ${rule}.#left - :one`,
          left: `${rule}.#left`,
        });
  }
  if (left !== undefined && !(await useMagic(table, of.accountId, source.reference, left))) return false;
  return await count(table, of, fault);
};
