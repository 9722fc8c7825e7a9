import { Logger } from '@aws-lambda-powertools/logger';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { paymentServiceRuntime } from '../runtime.ts';
import { webhookAddress } from '../store/webhook-registration.ts';
import { readAnnouncement } from '../webhooks/announcement.ts';
import { deliver } from '../webhooks/deliver.ts';

const logger = new Logger({ serviceName: 'payment-service' });
const { settings, table, readCredentials, now } = paymentServiceRuntime();

/** Delivers webhooks from the queue. One that is not taken goes back, and to the dead-letter queue after all attempts. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const outcomes = await Promise.all(
    event.Records.map(async (record) => {
      const announcement = readAnnouncement(record.body);
      const delivery = await deliver(
        {
          addressOf: (clientId) => webhookAddress(table, clientId),
          readCredentials,
          now,
          timeoutSeconds: settings.webhooks.timeoutSeconds,
          post: fetch,
        },
        announcement,
      );
      logger.info('WEBHOOK_ATTEMPTED', { webhookId: announcement.webhookId, ...delivery });
      return delivery.kind === 'refused' ? [{ itemIdentifier: record.messageId }] : [];
    }),
  );
  return { batchItemFailures: outcomes.flat() };
};
