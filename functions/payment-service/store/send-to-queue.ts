import type { SQSClient } from '@aws-sdk/client-sqs';
import { SendMessageCommand } from '@aws-sdk/client-sqs';

/** Sends a text to a queue, which hides it for at most 900 seconds. */
export const sendToQueue = async (sqs: SQSClient, queueUrl: string, text: string, delaySeconds = 0): Promise<void> => {
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: text, DelaySeconds: delaySeconds }));
};
