import { isDisbursementKey, keys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { getItem, queryAll } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { groupItem, readDisbursementItem } from './disbursement-item.ts';

/** A committed group. Undefined while its POST is undecided, and when it was abandoned. */
export const readGroup = (table: Table, groupId: string): Promise<CommittedGroup | undefined> =>
  getItem(table, keys.group(groupId), groupItem);

/** A committed group with all its disbursements, by one query; undefined otherwise. 100 of them are about 100 KB. */
export const readWholeGroup = async (table: Table, groupId: string) => {
  const items = await queryAll(table, keys.group(groupId).pk);
  const isDisbursement = ({ sk }: Item): boolean => isDisbursementKey(String(sk));
  const marker = items.find((item) => !isDisbursement(item));
  const group = marker && groupItem.parse(marker);
  if (group === undefined) return undefined;
  return { group, disbursements: items.filter(isDisbursement).map((item) => readDisbursementItem(group, item)) };
};
