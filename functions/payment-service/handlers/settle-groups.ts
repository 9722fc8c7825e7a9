import { Logger } from '@aws-lambda-powertools/logger';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { clientIdOf } from '../domain/account.ts';
import { merchantTime } from '../domain/sandbox.ts';
import { paymentServiceRuntime } from '../runtime.ts';
import { delaySeconds, readSettlementMessage } from '../settlement/message.ts';
import { settleGroup } from '../settlement/settle-group.ts';
import { changeStatuses } from '../store/change-statuses.ts';
import { fileValues } from '../store/file-values.ts';
import { clearAway, readWholeGroup } from '../store/groups.ts';
import { conflictPause } from '../store/table.ts';

const logger = new Logger({ serviceName: 'payment-service' });
const {
  settings,
  table,
  sqs,
  queues,
  openingBalances,
  sandboxOf,
  now: realNow,
  pause,
  random,
} = paymentServiceRuntime();
const { reusableCryptoReferences } = settings;

async function settle(body: string): Promise<void> {
  const message = readSettlementMessage(body);
  const sandbox = await sandboxOf(clientIdOf(message.accountId));
  const now = () => merchantTime(sandbox, realNow());
  const next = await settleGroup(
    {
      times: settings.settlement,
      now,
      readWholeGroup: (groupId) => readWholeGroup(table, groupId),
      changeStatuses: (group, changes) =>
        changeStatuses({ table, openingBalances, now, pause, random }, group, changes, settings.webhooks.everyChange),
      fileValues: (group, disbursements) =>
        fileValues({ table, pause, random, reusableCryptoReferences }, group, disbursements),
      clearAway: (accountId, groupId) => clearAway({ pause, random }, table, accountId, groupId),
      pause: (attempt) => pause(conflictPause(attempt, random)),
    },
    message,
  );
  if (next === undefined) return;
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queues.settlement,
      MessageBody: body,
      DelaySeconds: delaySeconds(now(), next),
    }),
  );
}

/** Looks at groups when their time has come. A group whose look failed comes back by itself. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const failures: { itemIdentifier: string }[] = [];
  for (const record of event.Records) {
    try {
      await settle(record.body);
    } catch (error) {
      logger.error('SETTLEMENT_FAILED', { errorName: error instanceof Error ? error.name : 'unknown' });
      failures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures: failures };
};
