import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import { indexedValues } from '../../domain/disbursements/disbursement-filter.ts';
import type { ValuePath } from '../../domain/lists/members.ts';
import { memberNumber } from '../../domain/lists/members.ts';
import type { Context } from '../context.ts';
import { keys } from '../keys.ts';
import { valueWrite } from '../lists/list-values.ts';
import { conflictAttempts, retryConflicts } from '../retry.ts';
import type { TransactItem } from '../table.ts';
import { edits, transact, updateNow } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';

/** The maximum number of writes in one transaction. */
const valuesAtOnce = 100;

const writesOf = (
  { settings }: Context,
  { accountId, rail, listNumber }: CommittedGroup,
  disbursements: readonly Disbursement[],
): readonly TransactItem[] => {
  const members = new Map<ValuePath, number[]>();
  for (const one of disbursements) {
    const member = memberNumber(listNumber, one.position);
    for (const path of indexedValues(one, settings.reusableCryptoReferences))
      members.set(path, [...(members.get(path) ?? []), member]);
  }
  return [...members].map(([path, own]) => valueWrite({ accountId, list: rail }, path, listNumber, own));
};

/**
 * Indexes a committed crypto group by the values that crypto lists can be filtered by, and marks its item as indexed.
 * Bank transfers have no such filters. Safe to run twice: the POST does it, and after an interrupted POST the worker
 * does.
 *
 * @param attempts for each part, when concurrent POSTs conflict
 * @returns false when every attempt met a conflict, or no time was left; the worker then tries again
 */
export const indexValues = async (
  context: Context,
  group: CommittedGroup,
  disbursements: readonly Disbursement[],
  attempts = conflictAttempts,
): Promise<boolean> => {
  if (group.rail !== 'crypto' || group.isIndexed === true) return true;
  const { table } = context;
  const writes = writesOf(context, group, disbursements);
  for (let start = 0; start < writes.length; start += valuesAtOnce) {
    const part = writes.slice(start, start + valuesAtOnce);
    const index = async () => ((await transact(table, part)) === undefined ? 'indexed' : 'again');
    if ((await retryConflicts(context, index, attempts)) === undefined) return false;
  }
  await updateNow(table, keys.group(group.groupId), edits({ set: { isIndexed: true } }));
  return true;
};
