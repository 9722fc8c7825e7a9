import * as z from 'zod';
import type { MemberNumber, ValuePath } from '../../domain/lists/members.ts';
import type { NumberRange } from '../../domain/lists/page.ts';
import type { ListId } from '../keys.ts';
import { keys } from '../keys.ts';
import type { TransactItem } from '../table.ts';
import { edits, queryBetween, update } from '../table.ts';
import type { StoredList } from './list-changes.ts';

/** Indexes members of one entry under a value. One write, safe to repeat. */
export const valueWrite = (
  list: ListId,
  path: ValuePath,
  entryNumber: number,
  members: readonly MemberNumber[],
): TransactItem => update(keys.listValue(list, path, entryNumber), edits({ add: { members: new Set(members) } }));

const valueItem = z.object({ members: z.set(z.number()) });

/** The members that share a value, in these entries and some neighbors. At 7 bytes each, one request reads 100,000. */
export const readValue = async (
  list: StoredList,
  path: ValuePath,
  { first, last }: NumberRange,
): Promise<ReadonlySet<MemberNumber>> => {
  const items = await queryBetween(list.table, keys.listValue(list, path, first), keys.listValue(list, path, last));
  return new Set(items.flatMap((item) => [...valueItem.parse(item).members]));
};
