import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { disbursementIdAt } from '../../domain/disbursements/disbursement-id.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { cancellationOf, conflictAttempts, conflictPause, failedCondition, isConflict } from '../table.ts';
import { readGroup } from './groups.ts';
import type { CreateGroupPorts, GroupRefusal, NewGroups } from './new-groups.ts';

type Reserved = { readonly kind: 'reserved' } | GroupRefusal;

/** The marshalled reference item that stood in the way. */
const holder = z.object({ groupId: z.object({ S: z.string() }), reference: z.object({ S: z.string() }) });

const refusalFor = async (table: Table, standing: unknown): Promise<GroupRefusal> => {
  const { groupId, reference } = holder.parse(standing);
  const group = await readGroup(table, groupId.S);
  return { kind: group?.state === 'committed' ? 'reference_used' : 'reference_in_progress', reference: reference.S };
};

/** Takes all references of the groups in one transaction, or none of them. */
export const reserveReferences = async (ports: CreateGroupPorts, groups: NewGroups): Promise<Reserved> => {
  const { table } = ports;
  const puts = groups.flatMap((group) =>
    group.items.flatMap(({ reference }, position) =>
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
    ),
  );
  const [{ rail }] = groups;
  const wanted = [...puts];
  for (let tried = 0; wanted.length > 0 && tried < conflictAttempts; tried += 1) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: wanted }));
      return { kind: 'reserved' };
    } catch (error) {
      const cancellation = cancellationOf(error);
      if (cancellation === undefined) throw error;
      const taken = cancellation.reasons.findIndex((_, index) => failedCondition(cancellation, index));
      if (taken >= 0 && rail === 'crypto' && ports.reusableCryptoReferences) {
        // The first user of a reference keeps it: a lookup by reference finds that one.
        wanted.splice(taken, 1);
      } else if (taken >= 0) {
        return await refusalFor(table, cancellation.reasons[taken]?.item);
      } else if (!isConflict(cancellation)) throw error;
      await ports.pause(conflictPause(tried, ports.random));
    }
  }
  return wanted.length === 0 ? { kind: 'reserved' } : { kind: 'busy' };
};
