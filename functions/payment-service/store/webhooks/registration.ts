import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import { putItem } from '../table.ts';

const registration = z.object({ url: z.string() });

export const registerWebhook = (table: Table, clientId: string, url: string, at: string): Promise<void> =>
  putItem(table, { ...keys.webhookRegistration(clientId), url, registeredAt: at });

/** Where a merchant wants its webhooks. Undefined when it registered no address. */
export const webhookAddress = async (table: Table, clientId: string): Promise<string | undefined> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.webhookRegistration(clientId) }),
  );
  return answer.Item === undefined ? undefined : registration.parse(answer.Item).url;
};
