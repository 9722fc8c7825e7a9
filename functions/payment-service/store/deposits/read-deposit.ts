import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Deposit } from '../../domain/deposits/deposit.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { readDepositItem } from './deposit-item.ts';

/** Longer texts are nobody's id or reference, and may be longer than a key can be. */
const longestName = 128;

/** A deposit by its id, whoever it belongs to. */
export const readDeposit = async (table: Table, depositId: string): Promise<Deposit | undefined> => {
  if (depositId === '' || depositId.length > longestName) return undefined;
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.deposit(depositId), ConsistentRead: true }),
  );
  return answer.Item === undefined ? undefined : readDepositItem(answer.Item);
};

const referenceItem = z.object({ depositId: z.string() });

/** A deposit of the account by its id, and when there is none of that id, by the merchant's reference. */
export const readOwnDeposit = async (
  table: Table,
  accountId: string,
  idOrReference: string,
): Promise<Deposit | undefined> => {
  const byId = await readDeposit(table, idOrReference);
  if (byId?.accountId === accountId) return byId;
  if (idOrReference === '' || idOrReference.length > longestName) return undefined;
  const answer = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: keys.depositReference(accountId, idOrReference),
      ConsistentRead: true,
    }),
  );
  if (answer.Item === undefined) return undefined;
  return await readDeposit(table, referenceItem.parse(answer.Item).depositId);
};
