import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

const registration = z.object({ url: z.string() });

export async function registerWebhook(table: Table, accountId: string, url: string, at: string): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...keys.webhookRegistration(accountId), url, registeredAt: at },
    }),
  );
}

/** Where an account wants its webhooks; undefined when it registered no address. */
export async function webhookAddress(table: Table, accountId: string): Promise<string | undefined> {
  const answer = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keys.webhookRegistration(accountId) }),
  );
  return answer.Item === undefined ? undefined : registration.parse(answer.Item).url;
}
