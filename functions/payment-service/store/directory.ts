import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Rail } from '../domain/currencies.ts';
import type { DisbursementStatus } from '../domain/disbursement.ts';
import type { SequenceWindow } from '../domain/page.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

const entry = z
  .object({
    groupId: z.string(),
    currency: z.string(),
    count: z.number(),
    createdAt: z.string(),
    firstSequence: z.number(),
  })
  .catchall(z.unknown());

/** A group in a list: where its disbursements stand, and how many of them have which status. */
export interface DirectoryEntry {
  readonly groupId: string;
  readonly currency: string;
  readonly count: number;
  readonly createdAt: string;
  readonly firstSequence: number;
  readonly withStatus: (status: DisbursementStatus) => number;
}

function readEntry(item: unknown): DirectoryEntry {
  const { groupId, currency, count, createdAt, firstSequence, ...rest } = entry.parse(item);
  return {
    groupId,
    currency,
    count,
    createdAt,
    firstSequence,
    withStatus: (status) => {
      const given = rest[`statuses_${status}`];
      return typeof given === 'number' ? given : 0;
    },
  };
}

async function query(table: Table, pk: string, from: string, to: string): Promise<readonly DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    entries.push(...(answer.Items ?? []).map(readEntry));
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return entries;
}

/** The most disbursements a group can have: as far before a window its first group can begin. */
const largestGroup = 100;

/** The groups that a window of sequence numbers touches, in order, without reading any before it. */
export async function groupsInWindow(
  table: Table,
  list: { readonly accountId: string; readonly rail: Rail; readonly currency?: string | undefined },
  window: SequenceWindow,
): Promise<readonly DirectoryEntry[]> {
  const { accountId, rail, currency } = list;
  const key = (sequence: number) =>
    currency === undefined
      ? keys.directory(accountId, rail, sequence)
      : keys.currencyDirectory(accountId, rail, currency, sequence);
  const first = key(Math.max(1, window.first - largestGroup + 1));
  const entries = await query(table, first.pk, first.sk, key(window.last).sk);
  return entries.filter((one) => one.firstSequence + one.count > window.first);
}

/** Every group of a list, in order: some 300 bytes each. */
export const allGroups = (table: Table, accountId: string, rail: Rail): Promise<readonly DirectoryEntry[]> => {
  const { pk, sk } = keys.directory(accountId, rail, 0);
  return query(table, pk, sk, '9'.repeat(12));
};
