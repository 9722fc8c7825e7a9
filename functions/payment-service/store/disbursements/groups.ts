import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import { isDisbursementKey, keys } from '../keys.ts';
import { queryAll } from '../query-all.ts';
import type { Pause, Table } from '../table.ts';
import { deleteAll } from '../write-all.ts';
import type { CommittedGroup, GroupState } from './disbursement-item.ts';
import { readDisbursementItem, readGroupItem, readLeftover } from './disbursement-item.ts';

export const readGroup = async (table: Table, groupId: string): Promise<GroupState | undefined> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.group(groupId), ConsistentRead: true }),
  );
  return answer.Item === undefined ? undefined : readGroupItem(answer.Item);
};

export type WholeGroup =
  | { readonly kind: 'committed'; readonly group: CommittedGroup; readonly disbursements: readonly Disbursement[] }
  /** Neither committed nor given up yet. */
  | { readonly kind: 'open' }
  | { readonly kind: 'abandoned' };

/** A group with all its disbursements. One query: 100 of them are about 100 KB. */
export const readWholeGroup = async (table: Table, groupId: string): Promise<WholeGroup> => {
  const items = await itemsOf(table, groupId);
  const marker = items.find((item) => !isDisbursementKey(String(item['sk'])));
  if (marker === undefined) return { kind: 'open' };
  const group = readGroupItem(marker);
  switch (group.state) {
    case 'abandoned':
      return { kind: 'abandoned' };
    case 'committed': {
      const disbursements = items
        .filter((item) => isDisbursementKey(String(item['sk'])))
        .map((item) => readDisbursementItem(group, item));
      return { kind: 'committed', group, disbursements };
    }
  }
};

const itemsOf = (table: Table, groupId: string): Promise<readonly Record<string, unknown>[]> =>
  queryAll(table, keys.group(groupId).pk);

/** Runs a conditional write; whether its condition held. */
const held = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** From here on the group can never be committed. False when it was committed, or given up, before. */
const giveUp = (table: Table, groupId: string): Promise<boolean> =>
  held(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...keys.group(groupId), groupId, state: 'abandoned' },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );

const releaseReferences = async (
  table: Table,
  accountId: string,
  groupId: string,
  items: readonly { readonly reference?: string | undefined }[],
): Promise<void> => {
  const references = items.flatMap(({ reference }) => (reference === undefined ? [] : [reference]));
  await Promise.all(
    references.map((reference) =>
      held(
        table.client.send(
          new DeleteCommand({
            TableName: table.name,
            Key: keys.reference(accountId, reference),
            ConditionExpression: 'groupId = :groupId',
            ExpressionAttributeValues: { ':groupId': groupId },
          }),
        ),
      ),
    ),
  );
};

/** Gives a group up and frees its references at once; its items are cleared away by the janitor. */
export const abandonGroup = async (
  table: Table,
  accountId: string,
  groupId: string,
  items: readonly { readonly reference?: string | undefined }[],
): Promise<void> => {
  await giveUp(table, groupId);
  const group = await readGroup(table, groupId);
  if (group?.state === 'abandoned') await releaseReferences(table, accountId, groupId, items);
};

/** The janitor: gives up a group that was never committed, and removes what its POST left behind. */
export const clearAway = async (
  patience: { readonly pause: Pause; readonly random: () => number },
  table: Table,
  accountId: string,
  groupId: string,
): Promise<void> => {
  await giveUp(table, groupId);
  const group = await readGroup(table, groupId);
  if (group?.state !== 'abandoned') return;
  const leftovers = (await itemsOf(table, groupId)).filter((item) => isDisbursementKey(String(item['sk'])));
  const read = leftovers.map(readLeftover);
  await releaseReferences(table, accountId, groupId, read);
  await deleteAll(
    patience,
    table,
    read.map(({ position }) => keys.disbursement(groupId, position)),
  );
};
