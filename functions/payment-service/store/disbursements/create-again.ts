import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Disbursement, GroupDraft } from '../../domain/disbursements/disbursement.ts';
import { keys } from '../keys.ts';
import { createGroup } from './create-group.ts';
import type { CreateGroupPorts } from './new-groups.ts';

/**
 * Makes the disbursements of a crypto POST once more, as a group of its own, paid and booked like any. The references
 * stay those of the first: a lookup by reference finds that one, and a list filtered by it shows both. Does nothing where
 * the balance does not cover them again.
 */
export const createAgain = async (ports: CreateGroupPorts, accountId: string, draft: GroupDraft): Promise<void> => {
  const made = await createGroup({ ...ports, reusableCryptoReferences: true }, accountId, draft);
  if (made.kind !== 'created') return;
  await Promise.all(made.disbursements.map((one) => tellOfAnother(ports, accountId, one)));
};

const tellOfAnother = async (
  { table }: CreateGroupPorts,
  accountId: string,
  { reference, disbursementId }: Disbursement,
): Promise<void> => {
  if (reference === undefined) return;
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keys.reference(accountId, reference),
      UpdateExpression: 'ADD laterIds :another',
      ExpressionAttributeValues: { ':another': new Set([disbursementId]) },
    }),
  );
};
