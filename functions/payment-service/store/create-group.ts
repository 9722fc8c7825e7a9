import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { debitOf } from '../domain/compose-group.ts';
import type { Disbursement, GroupDraft } from '../domain/disbursement.ts';
import { disbursementIdAt } from '../domain/disbursement-id.ts';
import { add, isLess, negate, sum } from '../domain/money.ts';
import type { OpeningBalances } from './balances.ts';
import { moveBalance, readBalance } from './balances.ts';
import { nextCount, readCount } from './counts.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { newDisbursementItem, readDisbursementItem } from './disbursement-item.ts';
import { abandonGroup, readGroup } from './groups.ts';
import { keys } from './keys.ts';
import type { Pause, Table } from './table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition, isConflict } from './table.ts';
import { writeAll } from './write-all.ts';

/** Why a POST made nothing. */
export type GroupRefusal =
  | { readonly kind: 'insufficient_balance' }
  | { readonly kind: 'reference_used'; readonly reference: string }
  /** The reference belongs to a POST that is not decided yet, or was cut off and is not cleared away yet. */
  | { readonly kind: 'reference_in_progress'; readonly reference: string }
  | { readonly kind: 'busy' };

export type CreatedGroup = { readonly kind: 'created'; readonly disbursements: readonly Disbursement[] } | GroupRefusal;

export interface CreateGroupPorts {
  readonly table: Table;
  readonly openingBalances: OpeningBalances;
  /** Lets a crypto reference be taken a second time. */
  readonly reusableCryptoReferences: boolean;
  readonly now: () => Date;
  readonly pause: Pause;
  readonly random: () => number;
  readonly newGroupId: () => string;
  /** Has the group looked at later: settled when it was committed by then, cleared away when it was not. */
  readonly scheduleSettlement: (groupId: string, draft: GroupDraft) => Promise<void>;
}

export type NewGroup = GroupDraft & { readonly groupId: string; readonly accountId: string };

type Reserved = { readonly kind: 'reserved' } | GroupRefusal;

/** The marshalled reference item that stood in the way. */
const holder = z.object({ groupId: z.object({ S: z.string() }), reference: z.object({ S: z.string() }) });

async function refusalFor(table: Table, standing: unknown): Promise<GroupRefusal> {
  const { groupId, reference } = holder.parse(standing);
  const group = await readGroup(table, groupId.S);
  return { kind: group?.state === 'committed' ? 'reference_used' : 'reference_in_progress', reference: reference.S };
}

/** Takes all references of the group in one transaction, or none of them. */
async function reserveReferences(ports: CreateGroupPorts, group: NewGroup): Promise<Reserved> {
  const { table } = ports;
  const puts = group.items.flatMap(({ reference }, position) =>
    reference === undefined
      ? []
      : [
          {
            Put: {
              TableName: table.name,
              Item: {
                ...keys.reference(group.accountId, reference),
                reference,
                groupId: group.groupId,
                rail: group.rail,
                disbursementId: disbursementIdAt(group.groupId, position),
              },
              ConditionExpression: 'attribute_not_exists(pk)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
            },
          },
        ],
  );
  const wanted = [...puts];
  for (let tried = 0; wanted.length > 0 && tried < conflictAttempts; tried += 1) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: wanted }));
      return { kind: 'reserved' };
    } catch (error) {
      const cancellation = cancellationOf(error);
      if (cancellation === undefined) throw error;
      const taken = cancellation.reasons.findIndex((_, index) => failedCondition(cancellation, index));
      if (taken >= 0 && group.rail === 'crypto' && ports.reusableCryptoReferences) {
        // The first user of a reference keeps it: a lookup by reference finds that one.
        wanted.splice(taken, 1);
      } else if (taken >= 0) {
        return await refusalFor(table, cancellation.reasons[taken]?.item);
      } else if (!isConflict(cancellation)) throw error;
      await ports.pause(conflictPause(tried, ports.random));
    }
  }
  return wanted.length === 0 ? { kind: 'reserved' } : { kind: 'busy' };
}

type Committed = { readonly kind: 'committed'; readonly group: CommittedGroup } | GroupRefusal | 'again';

/** The one transaction that makes the group real: money, visibility and its place in the lists. */
async function commit(ports: CreateGroupPorts, draft: NewGroup): Promise<Committed> {
  const { table } = ports;
  const { groupId, accountId, rail, currency, items } = draft;
  const [balance, count] = await Promise.all([
    readBalance(table, ports.openingBalances, accountId, currency),
    readCount(table, accountId, rail),
  ]);
  // A clock that steps back must not put a later group before an earlier one.
  const now = ports.now().toISOString();
  const createdAt = [now, count.lastCreatedAt].toSorted().at(-1) ?? now;
  const move = moveBalance(table, accountId, balance, {
    id: groupId,
    kind: 'disbursement',
    delta: negate(debitOf(items)),
    fee: sum(items.map((item) => item.fee)),
    at: createdAt,
  });
  if (move.kind === 'insufficient') return { kind: 'insufficient_balance' };
  const firstSequence = count.total + 1;
  const group: CommittedGroup = {
    state: 'committed',
    groupId,
    accountId,
    rail,
    currency,
    count: items.length,
    firstSequence,
    balanceBefore: balance.amount,
    createdAt,
  };
  const entry = { groupId, currency, count: items.length, createdAt };
  const ofCurrency = (count.byCurrency[currency] ?? 0) + 1;
  const put = (item: Record<string, unknown>) => ({
    Put: { TableName: table.name, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
  });
  const writes = [
    put({ ...keys.group(groupId), ...group }),
    nextCount(table, accountId, rail, count, { currency, count: items.length, createdAt }),
    put({
      ...keys.directory(accountId, rail, firstSequence),
      ...entry,
      firstSequence,
      statuses_pending: items.length,
    }),
    put({
      ...keys.currencyDirectory(accountId, rail, currency, ofCurrency),
      ...entry,
      firstSequence: ofCurrency,
    }),
    ...move.writes,
  ];
  try {
    await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
    return { kind: 'committed', group };
  } catch (error) {
    const cancellation = cancellationOf(error);
    if (cancellation === undefined) throw error;
    // The group's own item is there only when the janitor gave this POST up for dead.
    if (failedCondition(cancellation, 0)) return { kind: 'busy' };
    return 'again';
  }
}

async function commitOrGiveUp(ports: CreateGroupPorts, draft: NewGroup): Promise<Exclude<Committed, 'again'>> {
  for (let tried = 0; tried < conflictAttempts; tried += 1) {
    const committed = await commit(ports, draft);
    if (committed !== 'again') return committed;
    await ports.pause(conflictPause(tried, ports.random));
  }
  return { kind: 'busy' };
}

/**
 * Creates every disbursement of a POST, or none. In this order, so that a crash at any point leaves nothing paid and
 * nothing visible, and what it leaves is cleared away:
 *
 * 1. schedule the settlement, which is also the janitor of a group that never commits;
 * 2. write the items, which nobody sees until their group is committed;
 * 3. reserve all references, in one transaction;
 * 4. commit: balance, posting, group and its place in the lists, in one transaction.
 */
export async function createGroup(
  ports: CreateGroupPorts,
  accountId: string,
  draft: GroupDraft,
): Promise<CreatedGroup> {
  const { table } = ports;
  const balance = await readBalance(table, ports.openingBalances, accountId, draft.currency);
  if (isLess(balance.amount, debitOf(draft.items))) return { kind: 'insufficient_balance' };
  const groupId = ports.newGroupId();
  const group: NewGroup = { ...draft, groupId, accountId };
  await ports.scheduleSettlement(groupId, draft);
  let debitedBefore = '0';
  const items = draft.items.map((item, position) => {
    const written = newDisbursementItem(groupId, position, item, debitedBefore);
    debitedBefore = add(debitedBefore, add(item.amount, item.fee));
    return written;
  });
  await writeAll(ports, table, items);
  const reserved = await reserveReferences(ports, group);
  if (reserved.kind !== 'reserved') return reserved;
  const committed = await commitOrGiveUp(ports, group);
  switch (committed.kind) {
    case 'committed':
      return {
        kind: 'created',
        disbursements: items.map((item) => readDisbursementItem(committed.group, item)),
      };
    case 'insufficient_balance':
    case 'busy':
    case 'reference_used':
    case 'reference_in_progress':
      await abandonGroup(table, accountId, groupId, draft.items);
      return committed;
  }
}
