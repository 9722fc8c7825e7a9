import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { DisbursementDraft } from '../../domain/disbursements/disbursement.ts';
import type { Context } from '../context.ts';
import { isDisbursementKey, keys } from '../keys.ts';
import { deleteAll } from '../many-items.ts';
import { conditionHeld, putIfFree, queryAll } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { readGroup } from './read-group.ts';

type Referenced = Pick<DisbursementDraft, 'reference'>;

/** Ensures that an undecided group is never committed. Returns the group if it is already committed. */
const abandon = async ({ table }: Context, groupId: string): Promise<CommittedGroup | undefined> => {
  await putIfFree(table, { ...keys.group(groupId), groupId, state: 'abandoned' });
  return await readGroup(table, groupId);
};

const releaseReferences = async ({ table, accountId }: Context, groupId: string, items: readonly Referenced[]) => {
  const references = items.flatMap(({ reference }) => reference ?? []);
  await Promise.all(
    references.map((reference) =>
      conditionHeld(
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

/**
 * Abandons a group and frees its references. The worker deletes its items later.
 *
 * @returns the group if it is committed after all, and nothing was abandoned
 */
export const abandonGroup = async (context: Context, groupId: string, items: readonly Referenced[]) => {
  const committed = await abandon(context, groupId);
  if (committed === undefined) await releaseReferences(context, groupId, items);
  return committed;
};

/** The fields of a disbursement's item that are needed to delete it and to free its reference. */
const leftover = z.object({ pk: z.string(), sk: z.string(), reference: z.string().optional() });

/** Abandons a group that was never committed, and deletes everything that its POST wrote. */
export const clearAwayGroup = async (context: Context, groupId: string): Promise<void> => {
  if ((await abandon(context, groupId)) !== undefined) return;
  const items = await queryAll(context.table, keys.group(groupId).pk);
  const leftovers = items.map((item) => leftover.parse(item)).filter(({ sk }) => isDisbursementKey(sk));
  await releaseReferences(context, groupId, leftovers);
  const removed = leftovers.map(({ pk, sk }) => ({ pk, sk }));
  await deleteAll(context, removed);
};
