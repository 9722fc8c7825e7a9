import type { SQSClient } from '@aws-sdk/client-sqs';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SettlementMessage } from './message.ts';

/** Has the settlement worker look at something, at most 900 seconds from now. */
export const sendMessage = async (
  queue: { readonly sqs: SQSClient; readonly queues: { readonly settlement: string } },
  message: SettlementMessage,
  delaySeconds: number,
): Promise<void> => {
  await queue.sqs.send(
    new SendMessageCommand({
      QueueUrl: queue.queues.settlement,
      MessageBody: JSON.stringify(message),
      DelaySeconds: delaySeconds,
    }),
  );
};
