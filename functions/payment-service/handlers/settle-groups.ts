import { Logger } from '@aws-lambda-powertools/logger';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { depositPorts } from '../deposit-service.ts';
import { clientIdOf } from '../domain/account.ts';
import { merchantTime } from '../domain/sandbox/sandbox.ts';
import { paymentServiceRuntime } from '../runtime.ts';
import type { SettlementMessage } from '../settlement/message.ts';
import { delaySeconds, readSettlementMessage } from '../settlement/message.ts';
import { sendMessage } from '../settlement/send-message.ts';
import { settle } from '../settlement/settle.ts';
import { makeMove } from '../store/deposits/move-deposit.ts';
import { readDeposit } from '../store/deposits/read-deposit.ts';
import { changeStatuses } from '../store/disbursements/change-statuses.ts';
import { fileValues } from '../store/disbursements/file-values.ts';
import { clearAway, readWholeGroup } from '../store/disbursements/groups.ts';
import { conflictPause } from '../store/table.ts';

const logger = new Logger({ serviceName: 'payment-service' });
const runtime = paymentServiceRuntime();
const { settings, table, openingBalances, sandboxOf, now: realNow, pause, random } = runtime;
const { reusableCryptoReferences } = settings;

const look = async (message: SettlementMessage): Promise<void> => {
  const sandbox = await sandboxOf(clientIdOf(message.accountId));
  const now = () => merchantTime(sandbox, realNow());
  const ports = { table, openingBalances, now, pause, random };
  const next = await settle(
    {
      group: {
        times: settings.settlement,
        now,
        readWholeGroup: (groupId) => readWholeGroup(table, groupId),
        changeStatuses: (group, changes) => changeStatuses(ports, group, changes, settings.webhooks.everyChange),
        fileValues: (group, disbursements) => fileValues({ ...ports, reusableCryptoReferences }, group, disbursements),
        clearAway: (accountId, groupId) => clearAway(ports, table, accountId, groupId),
        pause: (attempt) => pause(conflictPause(attempt, random)),
      },
      deposit: {
        autopaySeconds: settings.deposits.autopaySeconds,
        now,
        readDeposit: (depositId) => readDeposit(table, depositId),
        makeMove: (depositId, move) => makeMove(depositPorts(runtime, sandbox), depositId, move),
      },
    },
    message,
  );
  if (next === undefined) return;
  await sendMessage(runtime, message, delaySeconds(now(), next));
};

/** Looks at groups and deposits when their time has come. One whose look failed comes back by itself. */
export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const failures: { itemIdentifier: string }[] = [];
  for (const record of event.Records) {
    try {
      await look(readSettlementMessage(record.body));
    } catch (error) {
      logger.error('SETTLEMENT_FAILED', { errorName: error instanceof Error ? error.name : 'unknown' });
      failures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures: failures };
};
