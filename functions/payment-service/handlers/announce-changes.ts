import type { DynamoDBStreamEvent } from 'aws-lambda';
import { clientIdOf } from '../domain/account.ts';
import type { SandboxState } from '../domain/sandbox/sandbox.ts';
import { faultsOfWebhook } from '../http/planned-faults.ts';
import { paymentServiceRuntime } from '../runtime.ts';
import { strikesOf } from '../store/sandbox/strikes.ts';
import { sendToQueue } from '../store/send-to-queue.ts';
import { webhookAddress } from '../store/webhooks/registration.ts';
import { announce } from '../webhooks/announce.ts';

const runtime = paymentServiceRuntime();
const { queues, sqs, table } = runtime;

/** Reads each merchant's sandbox once. Its generation identifies the current account, and it holds the faults. */
const readOnce = (): ((clientId: string) => Promise<SandboxState>) => {
  const read = new Map<string, Promise<SandboxState>>();
  return (clientId) => {
    const reading = read.get(clientId) ?? runtime.sandboxOf(clientId);
    read.set(clientId, reading);
    return reading;
  };
};

/** Moves announced changes from the table's stream to the delivery queue. The stream repeats a batch that fails. */
export const handler = async (event: DynamoDBStreamEvent): Promise<void> => {
  const sandboxOf = readOnce();
  await announce(
    {
      addressOf: (accountId) => webhookAddress(table, sandboxOf, accountId),
      strikeFor: async ({ accountId, type, body }) => {
        const sandbox = await sandboxOf(clientIdOf(accountId));
        return strikesOf(runtime, accountId, sandbox, faultsOfWebhook(sandbox.faults, type, body));
      },
      enqueue: (announcement, delaySeconds) =>
        sendToQueue(sqs, queues.webhooks, JSON.stringify(announcement), delaySeconds),
      setAside: (text) => sendToQueue(sqs, queues.undelivered, JSON.stringify({ unreadable: text })),
    },
    event.Records.flatMap((record) => record.dynamodb?.NewImage?.['announce']?.S ?? []),
  );
};
