import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';

const registration = z.object({ url: z.string() });

export const registerWebhook = async (table: Table, clientId: string, url: string, at: string): Promise<void> => {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...keys.webhookRegistration(clientId), url, registeredAt: at },
    }),
  );
};

/** Where a merchant wants its webhooks; undefined when it registered no address. */
export const webhookAddress = async (table: Table, clientId: string): Promise<string | undefined> => {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.webhookRegistration(clientId) }),
  );
  return answer.Item === undefined ? undefined : registration.parse(answer.Item).url;
};
