import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { paymentServiceRuntime } from '../runtime.ts';
import { webhookAddress } from '../store/webhook-registration.ts';
import { addressOf } from '../webhooks/address-of.ts';
import { announce } from '../webhooks/announce.ts';

const { queues, sqs, table, sandboxOf } = paymentServiceRuntime();

async function send(queueUrl: string, message: object): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) }));
}

/** Takes announced changes from the table's stream to the delivery queue; the stream repeats what failed. */
export const handler = async (event: DynamoDBStreamEvent): Promise<void> => {
  await announce(
    {
      addressOf: (accountId) =>
        addressOf({ registeredAddress: (clientId) => webhookAddress(table, clientId), sandboxOf }, accountId),
      enqueue: (announcement) => send(queues.webhooks, announcement),
      setAside: (text) => send(queues.undelivered, { unreadable: text }),
    },
    event.Records.flatMap((record) => record.dynamodb?.NewImage?.['announce']?.S ?? []),
  );
};
