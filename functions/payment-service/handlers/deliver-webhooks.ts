import { Logger } from '@aws-lambda-powertools/logger';
import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { credentialsOf } from '../auth/credentials.ts';
import { paymentServiceRuntime } from '../runtime.ts';
import { sendToQueue } from '../store/send-to-queue.ts';
import { keepAttempt } from '../store/webhooks/delivery-log.ts';
import { webhookAddress } from '../store/webhooks/registration.ts';
import type { AttemptPorts } from '../webhooks/attempt-delivery.ts';
import { attemptDelivery } from '../webhooks/attempt-delivery.ts';

const logger = new Logger({ serviceName: 'payment-service' });
const { settings, table, sqs, queues, readCredentials, sandboxOf, now, random } = paymentServiceRuntime();

const ports: AttemptPorts = {
  addressOf: (accountId) => webhookAddress(table, sandboxOf, accountId),
  webhookSecretOf: async (clientId) => (await credentialsOf(readCredentials, clientId)).webhookSecret,
  now,
  random,
  ...settings.webhooks,
  post: fetch,
  hide: async ({ receiptHandle }, seconds) => {
    await sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queues.webhooks,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  },
  setAside: ({ body }) => sendToQueue(sqs, queues.undelivered, body),
  keepInLog: (attempt) => keepAttempt(table, attempt),
  log: (code, ids) => logger.info(code, ids),
};

/** Whether the webhook returns to the queue. After an unexpected error it does so when its visibility times out. */
const comesBack = async ({ body, attributes, receiptHandle }: SQSRecord): Promise<boolean> => {
  try {
    const attempt = Number.parseInt(attributes.ApproximateReceiveCount, 10);
    return (await attemptDelivery(ports, { body, attempt, receiptHandle })) === 'again';
  } catch (error) {
    logger.error('WEBHOOK_ATTEMPT_FAILED', { errorName: error instanceof Error ? error.name : 'unknown' });
    return true;
  }
};

/**
 * Delivers webhooks from the queue. A refused webhook returns to the queue. After the last attempt or a 410, it goes to
 * the dead-letter queue, as do unreadable ones.
 */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const outcomes = await Promise.all(
    event.Records.map(async (record) => ((await comesBack(record)) ? [{ itemIdentifier: record.messageId }] : [])),
  );
  return { batchItemFailures: outcomes.flat() };
};
