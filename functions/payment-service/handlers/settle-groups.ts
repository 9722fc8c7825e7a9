import { Logger } from '@aws-lambda-powertools/logger';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { clientIdOf } from '../domain/account.ts';
import { contextOf, paymentServiceRuntime } from '../runtime.ts';
import { settleDeposit } from '../settlement/settle-deposit.ts';
import { settleGroup } from '../settlement/settle-group.ts';
import type { SettlementMessage } from '../store/settlement-queue.ts';
import { delaySeconds, readSettlementMessage } from '../store/settlement-queue.ts';

const logger = new Logger({ serviceName: 'payment-service' });
const runtime = paymentServiceRuntime();

const settle = async (message: SettlementMessage): Promise<void> => {
  const sandbox = await runtime.sandboxOf(clientIdOf(message.accountId));
  const context = contextOf(runtime, message.accountId, sandbox);
  const next = message.kind === 'group' ? await settleGroup(context, message) : await settleDeposit(context, message);
  if (next !== undefined) await context.schedule(message, delaySeconds(context.now(), next));
};

/** Settles groups and deposits when they are due. A failed message returns to the queue by itself. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const failures: { itemIdentifier: string }[] = [];
  for (const record of event.Records) {
    try {
      await settle(readSettlementMessage(record.body));
    } catch (error) {
      logger.error('SETTLEMENT_FAILED', { errorName: error instanceof Error ? error.name : 'unknown' });
      failures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures: failures };
};
