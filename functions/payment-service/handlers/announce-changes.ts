import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { accountIdOf, clientIdOf } from '../domain/account.ts';
import { paymentServiceRuntime } from '../runtime.ts';
import { webhookAddress } from '../store/webhook-registration.ts';
import type { Announcement } from '../webhooks/announcement.ts';
import { readAnnouncement } from '../webhooks/announcement.ts';

const { queues, sqs, table, sandboxOf } = paymentServiceRuntime();

async function enqueue(announcement: Announcement): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: queues.webhooks, MessageBody: JSON.stringify(announcement) }));
}

/** Whether anybody listens. What was before a reset of the merchant's sandbox is told to nobody. */
async function isHeard(accountId: string): Promise<boolean> {
  const clientId = clientIdOf(accountId);
  const [address, { generation }] = await Promise.all([webhookAddress(table, clientId), sandboxOf(clientId)]);
  return address !== undefined && accountId === accountIdOf(clientId, generation);
}

/** Takes announced changes from the table's stream to the delivery queue; the stream repeats what failed. */
export const handler = async (event: DynamoDBStreamEvent): Promise<void> => {
  const announcements = event.Records.flatMap((record) => {
    const text = record.dynamodb?.NewImage?.['announce']?.S;
    return text === undefined ? [] : [readAnnouncement(text)];
  });
  const accounts = [...new Set(announcements.map(({ accountId }) => accountId))];
  const heard = new Set<string>();
  for (const accountId of accounts) if (await isHeard(accountId)) heard.add(accountId);
  const wanted = announcements.filter(({ accountId }) => heard.has(accountId));
  await Promise.all(wanted.map(enqueue));
};
