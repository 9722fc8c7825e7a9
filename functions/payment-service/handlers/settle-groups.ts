import { Logger } from '@aws-lambda-powertools/logger';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { paymentServiceRuntime } from '../runtime.ts';
import { settle } from '../settlement/settle.ts';
import { timeToRetry } from '../store/retry.ts';
import { readSettlementMessage } from '../store/settlement-queue.ts';

const logger = new Logger({ serviceName: 'payment-service' });
const runtime = paymentServiceRuntime();

/** Settles groups and deposits when they are due. A failed message returns to the queue by itself. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const failures: { itemIdentifier: string }[] = [];
  const hasTime = timeToRetry(runtime.now);
  for (const record of event.Records) {
    try {
      await settle(runtime, readSettlementMessage(record.body), hasTime);
    } catch (error) {
      logger.error('SETTLEMENT_FAILED', { errorName: error instanceof Error ? error.name : 'unknown' });
      failures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures: failures };
};
