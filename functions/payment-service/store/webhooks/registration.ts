import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { accountIdOf, clientIdOf } from '../../domain/account.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { putItem } from '../table.ts';

const registration = z.object({ url: z.string() });

export const registerWebhook = (table: Table, clientId: string, url: string, at: string): Promise<void> =>
  putItem(table, { ...keys.webhookRegistration(clientId), url, registeredAt: at });

const registeredAddress = async (table: Table, clientId: string): Promise<string | undefined> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.webhookRegistration(clientId) }),
  );
  return answer.Item === undefined ? undefined : registration.parse(answer.Item).url;
};

interface AddressPorts {
  readonly table: Table;
  readonly sandboxOf: (clientId: string) => Promise<{ readonly generation: number }>;
}

/**
 * The address for an account's webhooks. Undefined when the merchant registered none, or has reset its sandbox since:
 * events from before a reset are not announced.
 */
export const webhookAddress = async (
  { table, sandboxOf }: AddressPorts,
  accountId: string,
): Promise<string | undefined> => {
  const clientId = clientIdOf(accountId);
  const [address, { generation }] = await Promise.all([registeredAddress(table, clientId), sandboxOf(clientId)]);
  return accountId === accountIdOf(clientId, generation) ? address : undefined;
};
