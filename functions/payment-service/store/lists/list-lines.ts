import * as z from 'zod';
import type { ListLine } from '../../domain/lists/members.ts';
import { memberNumber } from '../../domain/lists/members.ts';
import type { NumberRange } from '../../domain/lists/page.ts';
import type { ListId } from '../keys.ts';
import { keys } from '../keys.ts';
import type { TransactItem } from '../table.ts';
import { edits, queryBetween, update } from '../table.ts';
import type { ListPlace, StoredList } from './list-changes.ts';

/**
 * A short line per member, about 40 bytes, in place of its record. Searches that no count can answer read these lines.
 * Members of neighboring entries share an item. Each line is an attribute, named by the member's number.
 */
const readLine = (name: string, text: unknown): ListLine => {
  const [changeNumber, status, part] = z.string().parse(text).split('#');
  if (status === undefined || part === undefined) throw new Error('not a list line');
  return { member: Number.parseInt(name, 10), changeNumber: Number.parseInt(changeNumber ?? '', 10), status, part };
};

/** Replaces the lines of some members of one entry, in one write. Only the list of crypto disbursements is searched. */
export const lineWrites = (
  list: ListId,
  { listNumber, changeNumber }: ListPlace,
  part: string,
  members: readonly { readonly position: number; readonly status: string }[],
): readonly TransactItem[] => {
  if (list.list !== 'crypto') return [];
  const lines = members.map(({ position, status }) => [
    memberNumber(listNumber, position).toString(),
    `${changeNumber}#${status}#${part}`,
  ]);
  return [update(keys.listLines(list, listNumber), edits({ set: Object.fromEntries(lines) }))];
};

/** The lines of these entries, and of others that share their items. One request reads 25,000 lines, a megabyte. */
export const readLines = async (list: StoredList, { first, last }: NumberRange): Promise<readonly ListLine[]> => {
  const items = await queryBetween(list.table, keys.listLines(list, first), keys.listLines(list, last));
  return items.flatMap(({ pk: _pk, sk: _sk, ...lines }) =>
    Object.entries(lines).map(([name, text]) => readLine(name, text)),
  );
};
