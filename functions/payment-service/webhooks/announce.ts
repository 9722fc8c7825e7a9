import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { paymentServiceRuntime } from '../runtime.ts';
import { webhookAddress } from '../store/webhook-registration.ts';
import type { Announcement } from './announcement.ts';
import { readAnnouncement } from './announcement.ts';

const { queues, sqs, table } = paymentServiceRuntime();

/** What SendMessageBatch takes at once. */
const batchSize = 10;

async function enqueue(announcements: readonly Announcement[]): Promise<void> {
  const entries = announcements.map((announcement, index) => ({
    Id: index.toString(),
    MessageBody: JSON.stringify(announcement),
  }));
  const answer = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queues.webhooks, Entries: entries }));
  if ((answer.Failed ?? []).length > 0) throw new Error('the webhook queue did not take all webhooks');
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
  for (let start = 0; start < wanted.length; start += batchSize) await enqueue(wanted.slice(start, start + batchSize));
};
