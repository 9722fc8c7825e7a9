import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { debitOf } from '../../domain/disbursements/compose-group.ts';
import type { Disbursement, GroupDraft } from '../../domain/disbursements/disbursement.ts';
import { disbursementEntry } from '../../domain/disbursements/entries.ts';
import { memberNumber } from '../../domain/lists/search.ts';
import { Money } from '../../domain/money/money.ts';
import { moveBalance, readBalance } from '../balances.ts';
import { lineWrite } from '../lists/lines.ts';
import { joinList, momentIn, readListCount } from '../lists/writes.ts';
import type { Table, TransactItem } from '../table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition } from '../table.ts';
import { writeAll } from '../write-all.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { newDisbursementItem, newGroupItem, readDisbursementItem } from './disbursement-item.ts';
import { fileValues } from './file-values.ts';
import { abandonGroup } from './groups.ts';
import type { CreatedGroup, CreateGroupPorts, GroupRefusal, NewGroup, NewGroups } from './new-groups.ts';
import { reserveReferences } from './reserve-references.ts';

type Committed = { readonly kind: 'committed'; readonly groups: readonly CommittedGroup[] } | GroupRefusal | 'again';

/** The lines by which lists of crypto disbursements are searched. */
const newLines = (table: Table, group: CommittedGroup): TransactItem => {
  const { accountId, rail: list, listNumber, changeNumber, currency: part, count } = group;
  const positions = Array.from({ length: count }, (_, position) => position);
  const lines = positions.map((position) => ({
    member: memberNumber(listNumber, position),
    part,
    status: 'pending',
    changeNumber,
  }));
  return lineWrite(table, { accountId, list }, listNumber, lines);
};

/** The one transaction that makes the groups real: money, visibility and their places in the lists. */
const commit = async (ports: CreateGroupPorts, drafts: NewGroups): Promise<Committed> => {
  const { table } = ports;
  const [{ accountId, rail }] = drafts;
  const list = { accountId, list: rail };
  const [count, ...balances] = await Promise.all([
    readListCount(table, list),
    ...drafts.map(async (draft) => ({
      draft,
      balance: await readBalance(table, ports.openingBalances, accountId, draft.currency),
    })),
  ]);
  const createdAt = momentIn(count, ports.now().toISOString());
  const joining = drafts.map(({ groupId, currency, items }) => ({
    groupId,
    part: currency,
    status: 'pending',
    size: items.length,
  }));
  const joined = joinList(table, list, count, joining, createdAt);
  const groups: CommittedGroup[] = [];
  const money: TransactItem[] = [];
  for (const [index, { draft, balance }] of balances.entries()) {
    const { groupId, currency, items } = draft;
    const place = joined.places[index];
    if (place === undefined) throw new Error('a group without a place in its list');
    const debit = disbursementEntry({ id: groupId, at: createdAt }, draft);
    const move = moveBalance(table, accountId, balance, debit);
    if (move.kind === 'insufficient') return { kind: 'insufficient_balance' };
    const shared = { groupId, accountId, rail, currency, count: items.length, createdAt };
    groups.push({ ...shared, ...place, state: 'committed', balanceBefore: balance.amount });
    money.push(...move.writes);
  }
  const writes: TransactItem[] = [
    ...groups.map((group) => ({
      Put: {
        TableName: table.name,
        Item: newGroupItem(group),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    })),
    ...joined.writes,
    ...(rail === 'crypto' ? groups.map((group) => newLines(table, group)) : []),
    ...money,
  ];
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return { kind: 'committed', groups };
  } catch (error) {
    const cancellation = cancellationOf(error);
    if (cancellation === undefined) throw error;
    // A group's own item, which come first, is there only when the janitor gave this POST up for dead.
    if (groups.some((_, index) => failedCondition(cancellation, index))) return { kind: 'busy' };
    return 'again';
  }
};

const commitOrGiveUp = async (ports: CreateGroupPorts, drafts: NewGroups): Promise<Exclude<Committed, 'again'>> => {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const committed = await commit(ports, drafts);
    if (committed !== 'again') return committed;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
};

/** A POST that has moved money must be answered in time: three short waits at most, and the worker has all the time there is. */
const filingAttempts = 4;

/** Files what was committed. Whatever keeps it from being filed, the disbursements are made, and the worker files the rest. */
const fileOrLeave = async (
  ports: CreateGroupPorts,
  group: CommittedGroup,
  own: readonly Disbursement[],
): Promise<void> => {
  try {
    await fileValues(ports, group, own, filingAttempts);
  } catch {
    // Told as an error, this would say of money that has moved that it may not have.
  }
};

/** The items of a group as they are written; each knows what those before it took from the balance. */
const itemsOf = ({ groupId, currency, items }: NewGroup) => {
  let debitedBefore: Money = Money.zero(currency);
  return items.map((item, position) => {
    const written = newDisbursementItem(groupId, position, item, debitedBefore);
    debitedBefore = debitedBefore.plus(item.amount).plus(item.fee);
    return written;
  });
};

/**
 * Creates every disbursement of a POST, or none: a group a currency, all of one rail. In this order, so that a crash at
 * any point leaves nothing paid and nothing visible, and what it leaves is cleared away:
 *
 * 1. schedule the settlement of each group, which is also the janitor of one that never commits;
 * 2. write the items, which nobody sees until their group is committed;
 * 3. reserve all references, in one transaction;
 * 4. commit: balances, ledger entries, groups and their places in the lists, in one transaction. Seven currencies are 44
 *    items;
 * 5. file crypto disbursements under their values, for filtered lists.
 */
export const createGroups = async (
  ports: CreateGroupPorts,
  accountId: string,
  drafts: readonly [GroupDraft, ...GroupDraft[]],
): Promise<CreatedGroup> => {
  const { table } = ports;
  for (const draft of drafts) {
    const balance = await readBalance(table, ports.openingBalances, accountId, draft.currency);
    if (balance.amount.isLessThan(debitOf(draft))) return { kind: 'insufficient_balance' };
  }
  const named = (draft: GroupDraft): NewGroup => ({ ...draft, groupId: ports.newGroupId(), accountId });
  const [first, ...others] = drafts;
  const groups: NewGroups = [named(first), ...others.map(named)];
  for (const group of groups) await ports.scheduleSettlement(group.groupId, group);
  const items = groups.flatMap(itemsOf);
  await writeAll(ports, table, items);
  const reserved = await reserveReferences(ports, groups);
  if (reserved.kind !== 'reserved') return reserved;
  const committed = await commitOrGiveUp(ports, groups);
  switch (committed.kind) {
    case 'committed': {
      const made = committed.groups.map((group) => ({
        group,
        own: items.filter((item) => item.groupId === group.groupId).map((item) => readDisbursementItem(group, item)),
      }));
      for (const { group, own } of made) await fileOrLeave(ports, group, own);
      return { kind: 'created', disbursements: made.flatMap(({ own }) => own) };
    }
    case 'insufficient_balance':
    case 'busy':
    case 'reference_used':
    case 'reference_in_progress':
      for (const group of groups) await abandonGroup(table, accountId, group.groupId, group.items);
      return committed;
  }
};

/** The same for a POST in one currency. */
export const createGroup = (ports: CreateGroupPorts, accountId: string, draft: GroupDraft): Promise<CreatedGroup> =>
  createGroups(ports, accountId, [draft]);
