import * as z from 'zod';
import { accountIdOf, clientIdOf } from '../../domain/account.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { getItem, putItem } from '../table.ts';

const registration = z.object({ url: z.string() });

export const registerWebhook = (table: Table, clientId: string, url: string, at: string): Promise<void> =>
  putItem(table, { ...keys.webhookRegistration(clientId), url, registeredAt: at });

/**
 * The address for an account's webhooks. Undefined when the merchant registered none, or has reset its sandbox since:
 * events from before a reset are not announced.
 */
export const webhookAddress = async (
  table: Table,
  sandboxOf: (clientId: string) => Promise<{ readonly generation: number }>,
  accountId: string,
): Promise<string | undefined> => {
  const clientId = clientIdOf(accountId);
  const [registered, { generation }] = await Promise.all([
    getItem(table, keys.webhookRegistration(clientId), registration),
    sandboxOf(clientId),
  ]);
  return accountId === accountIdOf(clientId, generation) ? registered?.url : undefined;
};
