import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import { isDisbursementKey, keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { getItem, queryAll } from '../table.ts';
import type { CommittedGroup, GroupState } from './disbursement-item.ts';
import { groupItem, readDisbursementItem } from './disbursement-item.ts';

/** Whether a group was committed or abandoned. Undefined while its POST is undecided. */
export const readGroup = (table: Table, groupId: string): Promise<GroupState | undefined> =>
  getItem(table, keys.group(groupId), groupItem);

type WholeGroup =
  | { readonly kind: 'committed'; readonly group: CommittedGroup; readonly disbursements: readonly Disbursement[] }
  /** Neither committed nor abandoned. */
  | { readonly kind: 'open' }
  | { readonly kind: 'abandoned' };

/** A group with all its disbursements, by one query. 100 of them are about 100 KB. */
export const readWholeGroup = async (table: Table, groupId: string): Promise<WholeGroup> => {
  const items = await queryAll(table, keys.group(groupId).pk);
  const isDisbursement = (item: Readonly<Record<string, unknown>>): boolean => isDisbursementKey(String(item['sk']));
  const marker = items.find((item) => !isDisbursement(item));
  if (marker === undefined) return { kind: 'open' };
  const group = groupItem.parse(marker);
  switch (group.state) {
    case 'abandoned':
      return { kind: 'abandoned' };
    case 'committed': {
      const disbursements = items.filter(isDisbursement).map((item) => readDisbursementItem(group, item));
      return { kind: 'committed', group, disbursements };
    }
  }
};
