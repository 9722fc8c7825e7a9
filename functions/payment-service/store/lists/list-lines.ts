import * as z from 'zod';
import type { ListLine } from '../../domain/lists/members.ts';
import { keys } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import { queryAll } from '../table.ts';
import type { ListId } from './tree-writes.ts';

/**
 * A short line a member, about 40 bytes, in place of its record: what searches look through that no count knows the answer
 * of. Members of neighbouring entries share an item; an attribute is a line, named by the member's number.
 */
const lineText = ({ changeNumber, status, part }: ListLine): string => `${changeNumber}#${status}#${part}`;

const readLine = (name: string, text: unknown): ListLine => {
  const [changeNumber, status, part] = z.string().parse(text).split('#');
  if (status === undefined || part === undefined) throw new Error('not a line of a list');
  return { member: Number.parseInt(name, 10), changeNumber: Number.parseInt(changeNumber ?? '', 10), status, part };
};

/** Writes lines anew, all of one entry: one write. */
export const lineWrite = (
  table: Table,
  { accountId, list }: ListId,
  entryNumber: number,
  lines: readonly ListLine[],
): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keys.listLines(accountId, list, entryNumber),
    UpdateExpression: `SET ${lines.map((_, n) => `#l${n} = :l${n}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(lines.map(({ member }, n) => [`#l${n}`, member.toString()])),
    ExpressionAttributeValues: Object.fromEntries(lines.map((line, n) => [`:l${n}`, lineText(line)])),
  },
});

/** The entries of a list from one number to another, both included. */
export interface EntryRun {
  readonly first: number;
  readonly last: number;
}

/** The lines of these entries, and of some that share an item with them. 25,000 are a megabyte, which one request reads. */
export const readLines = async (
  table: Table,
  { accountId, list }: ListId,
  { first, last }: EntryRun,
): Promise<readonly ListLine[]> => {
  const [from, to] = [keys.listLines(accountId, list, first), keys.listLines(accountId, list, last)];
  const items = await queryAll(table, from.pk, { from: from.sk, to: to.sk });
  return items.flatMap(({ pk: _pk, sk: _sk, ...lines }) =>
    Object.entries(lines).map(([name, text]) => readLine(name, text)),
  );
};
