import * as z from 'zod';
import type { MemberNumber, ValuePath } from '../../domain/lists/members.ts';
import { keys } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import { queryAll } from '../table.ts';
import type { EntryRun } from './list-lines.ts';
import type { ListId } from './tree-writes.ts';

/** Files members of one entry under a value: one write, which may be done twice. */
export const valueWrite = (
  table: Table,
  { accountId, list }: ListId,
  path: ValuePath,
  entryNumber: number,
  members: readonly MemberNumber[],
): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keys.listValue(accountId, list, path, entryNumber),
    UpdateExpression: 'ADD members :members',
    ExpressionAttributeValues: { ':members': new Set(members) },
  },
});

const valueItem = z.object({ members: z.set(z.number()) });

/** Who shares a value, of these entries and some beside them: 7 bytes each, so that one request reads 100,000. */
export const readValue = async (
  table: Table,
  { accountId, list }: ListId,
  path: ValuePath,
  { first, last }: EntryRun,
): Promise<ReadonlySet<MemberNumber>> => {
  const [from, to] = [keys.listValue(accountId, list, path, first), keys.listValue(accountId, list, path, last)];
  const items = await queryAll(table, from.pk, { from: from.sk, to: to.sk });
  return new Set(items.flatMap((item) => [...valueItem.parse(item).members]));
};
