import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Disbursement } from '../../domain/disbursements/disbursement.ts';
import { placeOf } from '../../domain/disbursements/disbursement-id.ts';
import type { Rail } from '../../domain/money/currencies.ts';
import { referencePattern } from '../../domain/reference.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { CommittedGroup } from './disbursement-item.ts';
import { readDisbursementItem, readGroupItem } from './disbursement-item.ts';

export interface FoundDisbursement {
  readonly group: CommittedGroup;
  readonly disbursement: Disbursement;
}

/** A disbursement of the account by its id. What no committed POST made does not exist. */
export const findById = async (
  table: Table,
  accountId: string,
  disbursementId: string,
): Promise<FoundDisbursement | undefined> => {
  const place = placeOf(disbursementId);
  if (place === undefined) return undefined;
  const wanted = [keys.group(place.groupId), keys.disbursement(place.groupId, place.position)];
  const answer = await table.client.send(
    new BatchGetCommand({
      RequestItems: { [table.name]: { Keys: wanted.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true } },
    }),
  );
  const items = answer.Responses?.[table.name] ?? [];
  const marker = items.find((item) => item['sk'] === wanted[0]?.sk);
  const item = items.find((one) => one['sk'] === wanted[1]?.sk);
  if (marker === undefined || item === undefined) return undefined;
  const group = readGroupItem(marker);
  if (group.state !== 'committed' || group.accountId !== accountId) return undefined;
  return { group, disbursement: readDisbursementItem(group, item) };
};

const referenceItem = z.object({
  disbursementId: z.string(),
  /** Of a crypto reference that a sandbox was told to use twice: those that were made after the first. */
  laterIds: z.set(z.string()).default(new Set()),
});

/** The ids of a reference's disbursements, or of what a caller takes for one; the first is the one it stands for. */
const idsOf = async (table: Table, accountId: string, reference: string): Promise<readonly string[]> => {
  // Nothing is called so; and the table refuses a key of more than 2048 bytes with an error.
  if (!referencePattern.test(reference)) return [];
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.reference(accountId, reference), ConsistentRead: true }),
  );
  if (answer.Item === undefined) return [];
  const { disbursementId, laterIds } = referenceItem.parse(answer.Item);
  return [disbursementId, ...laterIds];
};

/** The disbursement of the account that the merchant's reference stands for. */
export const findByReference = async (
  table: Table,
  accountId: string,
  reference: string,
): Promise<FoundDisbursement | undefined> => {
  const [id] = await idsOf(table, accountId, reference);
  return id === undefined ? undefined : await findById(table, accountId, id);
};

/** Every disbursement of a reference, the one it stands for first: one, unless a sandbox was told otherwise. */
export const findAllByReference = async (
  table: Table,
  accountId: string,
  reference: string,
): Promise<readonly Disbursement[]> => {
  const ids = await idsOf(table, accountId, reference);
  const found = await Promise.all(ids.map((id) => findById(table, accountId, id)));
  return found.flatMap((one) => one?.disbursement ?? []);
};

/** By id, and when there is none of that id, by reference. One of the other rail is not found. */
export const findOnRail = async (
  table: Table,
  accountId: string,
  rail: Rail,
  idOrReference: string,
): Promise<Disbursement | undefined> => {
  const found =
    (await findById(table, accountId, idOrReference)) ?? (await findByReference(table, accountId, idOrReference));
  return found?.disbursement.rail === rail ? found.disbursement : undefined;
};
