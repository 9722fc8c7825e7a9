import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { paymentServiceRuntime } from '../runtime.ts';
import { webhookAddress } from '../store/webhook-registration.ts';
import type { Announcement } from '../webhooks/announcement.ts';
import { readAnnouncement } from '../webhooks/announcement.ts';

const { queues, sqs, table } = paymentServiceRuntime();

async function enqueue(announcement: Announcement): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: queues.webhooks, MessageBody: JSON.stringify(announcement) }));
}

/** Takes announced changes from the table's stream to the delivery queue; the stream repeats what failed. */
export const handler = async (event: DynamoDBStreamEvent): Promise<void> => {
  const announcements = event.Records.flatMap((record) => {
    const text = record.dynamodb?.NewImage?.['announce']?.S;
    return text === undefined ? [] : [readAnnouncement(text)];
  });
  const accounts = [...new Set(announcements.map(({ accountId }) => accountId))];
  const listening = new Set<string>();
  for (const accountId of accounts) {
    if ((await webhookAddress(table, accountId)) !== undefined) listening.add(accountId);
  }
  const wanted = announcements.filter(({ accountId }) => listening.has(accountId));
  await Promise.all(wanted.map(enqueue));
};
